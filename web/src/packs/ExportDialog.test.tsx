// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { PackId } from '@plinth/contract/pack-names';
import { sentences } from '@plinth/contract/errors';
import { renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer, type Answer } from '../../test/server.ts';
import { useExportChoice } from './export-choice.ts';
import { ExportDialog } from './ExportDialog.tsx';

const refusedCheck = { pack: 'amazon-main', ready: false, canFix: true, refusal: 'cutout_needed', rules: [] };

test('while the picture is measured the dialog has the focus, and keeps it when its cards come', async () => {
  const measured = Promise.withResolvers<void>();
  const { origin } = await startServer({
    'GET /api/v1/media/med_1/checks': (...call) =>
      void measured.promise.then(() => json({ items: [refusedCheck] })(...call)),
  });
  const exported = { mediaId: 'med_1', toolId: 'remover' } as const;
  renderScreen(<ExportDialog {...exported} onClose={() => {}} />, { origin });
  const dialog = await screen.findByRole('dialog', { name: 'Export for marketplaces' });
  await waitFor(() => expect(document.activeElement).toBe(dialog));
  expect(screen.getByRole('status').textContent).toBe('Measuring…');
  expect(screen.queryByRole('button', { name: /^Export for/ })).toBe(null);
  measured.resolve();
  expect(await screen.findByRole('link', { name: 'Remove the background' })).toBeTruthy();
  expect(document.activeElement).toBe(dialog);
});

test('of a picture that could not be measured that is said, and not that it is being measured', async () => {
  const { origin } = await startServer({ 'GET /api/v1/media/med_1/checks': refuse('not_found') });
  renderScreen(<ExportDialog mediaId="med_1" toolId="remover" onClose={() => {}} />, { origin });
  expect(await screen.findByText('Not found.')).toBeTruthy();
  expect(screen.queryAllByText('Measuring…')).toEqual([]);
});

test('files are saved by the names that the server gives them, several as one archive', async () => {
  const check = (pack: string) => ({ pack, ready: true, canFix: false, refusal: null, rules: [] });
  const file =
    (pack: string): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-disposition': `attachment; filename*=UTF-8''red%20mug-${pack}.jpg` });
      response.end('a picture');
    };
  const { origin } = await startServer({
    'GET /api/v1/media/med_1/checks': json({ items: ['amazon-main', 'ebay'].map(check) }),
    'GET /api/v1/media/med_1/packs/amazon-main': file('amazon-main'),
    'GET /api/v1/media/med_1/packs/ebay': file('ebay'),
  });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  renderScreen(<ExportDialog mediaId="med_1" toolId="remover" onClose={() => {}} />, { origin });
  const user = userEvent.setup();
  const ebay = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'eBay' });
  await waitFor(() => expect(ebay.disabled).toBe(false));
  await user.click(ebay);
  await user.click(screen.getByRole('button', { name: 'Export for eBay' }));
  await waitFor(() => expect(saved).toEqual(['red mug-ebay.jpg']));
  await user.click(screen.getByRole('checkbox', { name: 'Amazon, main picture' }));
  await user.click(await screen.findByRole('button', { name: 'Export 2 files' }));
  await waitFor(() => expect(saved[1]).toBe('red mug-export.zip'));
});

test('a file that breaks off on its way is said in the dialog, in a sentence of ours', async () => {
  const { origin } = await startServer({
    'GET /api/v1/media/med_1/checks': json({
      items: [{ pack: 'amazon-main', ready: true, canFix: false, refusal: null, rules: [] }],
    }),
    'GET /api/v1/media/med_1/packs/amazon-main': json({}),
  });
  vi.spyOn(Response.prototype, 'blob').mockRejectedValueOnce(new TypeError('terminated'));
  renderScreen(<ExportDialog mediaId="med_1" toolId="remover" onClose={() => {}} />, { origin });
  const user = userEvent.setup();
  const amazon = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Amazon, main picture' });
  await waitFor(() => expect(amazon.disabled).toBe(false));
  if (!amazon.checked) await user.click(amazon);
  await user.click(screen.getByRole('button', { name: /^Export for Amazon/ }));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByText(sentences.downloadMediaFailed)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Export for Amazon/ }));
  await waitFor(() => expect(dialog.queryByText(sentences.downloadMediaFailed)).toBe(null));
});

test('the chosen shops come first when it is opened, and no card moves while it is open', async () => {
  const check = (pack: PackId) => ({ pack, ready: true, canFix: false, refusal: null, rules: [] });
  const { origin } = await startServer({
    'GET /api/v1/media/med_1/checks': json({ items: (['amazon-main', 'ebay', 'zalando'] as const).map(check) }),
  });
  useExportChoice.setState({ chosen: { packs: ['zalando'], lookId: null } });
  renderScreen(<ExportDialog mediaId="med_1" toolId="remover" onClose={() => {}} />, { origin });
  const names = () => screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent);
  const inOrder = ['Zalando', 'Amazon, main picture', 'eBay'];
  await waitFor(() => expect(names()).toEqual(inOrder));
  await userEvent.setup().click(screen.getByRole('checkbox', { name: 'eBay' }));
  expect(names()).toEqual(inOrder);
});
