// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { PackId } from '@plinth/contract/pack-names';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { CheckScreen } from './CheckScreen.tsx';
import { useExportChoice } from './export-choice.ts';

const CHECKS = 'POST /api/v1/checks';

test('a picture that is read late does not replace one that was chosen later', async () => {
  const { origin, asked } = await startServer({ [CHECKS]: json({ items: [] }) });
  renderScreen(<CheckScreen onMend={async () => {}} suggest={() => null} />, { origin });
  const user = userEvent.setup({ applyAccept: false });
  const slow = pictureFile('slow', '');
  const reading = Promise.withResolvers<ArrayBuffer>();
  slow.slice = () => Object.assign(new Blob(), { arrayBuffer: () => reading.promise });
  const well = await screen.findByLabelText<HTMLInputElement>(/picture/);
  await user.upload(well, slow);
  await user.upload(well, pictureFile());
  await waitFor(() => expect(asked).toEqual([CHECKS]));
  reading.resolve(new ArrayBuffer(16));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toEqual([CHECKS]);
});

test('a HEIC photo that this browser cannot decode is not sent: it is said how to make a JPEG of it', async () => {
  const { origin, asked } = await startServer({ [CHECKS]: json({ items: [] }) });
  renderScreen(<CheckScreen onMend={async () => {}} suggest={() => null} />, { origin });
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(await screen.findByLabelText(/picture/), pictureFile('IMG_1.HEIC', 'image/heic'));
  const sentence = /This photo is HEIC: on an iPhone, share it with Options, Most Compatible/;
  await waitFor(() => expect(screen.getAllByText(sentence), 'in the box and in a toast').toHaveLength(2));
  expect(document.querySelector('.drop-well')?.className).toMatch(/is-refused/);
  expect(screen.getByRole('heading', { name: 'What marketplaces ask for' })).toBeTruthy();
  expect(asked).toEqual([]);
});

test('what each marketplace asks for is listed before a picture is given, and a suggested one is checked', async () => {
  const ready = { pack: 'ebay', ready: true, canFix: true, refusal: null, rules: [] } as const;
  const { origin } = await startServer({ [CHECKS]: json({ items: [ready] }) });
  renderScreen(
    <CheckScreen
      onMend={async () => {}}
      suggest={(onFile) => <button onClick={() => onFile(Promise.resolve(pictureFile()))}>A sample</button>}
    />,
    { origin },
  );
  const user = userEvent.setup();
  await screen.findByRole('heading', { name: 'What marketplaces ask for' });
  screen.getByText('The background is pure white. The picture is square. The file has at most 5 MB.', { exact: false });
  await user.click(screen.getByText('Walmart'));
  expect(screen.getAllByText('At least 1,500 pixels on the shorter side', { exact: false }).length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'A sample' }));
  await screen.findByRole('heading', { name: 'Ready for 1 of 1 marketplaces' });
  expect(screen.queryByText('Walmart')).toBe(null);
});

test('one removal serves every shop, and the one that was pressed is chosen in Export', async () => {
  const needs = (pack: PackId) => ({ pack, ready: false, canFix: true, refusal: 'cutout_needed', rules: [] });
  const { origin } = await startServer({ [CHECKS]: json({ items: [needs('amazon-main'), needs('zalando')] }) });
  const mended: File[] = [];
  const { router } = renderScreen(
    <CheckScreen onMend={async (picture) => void mended.push(picture)} suggest={() => null} />,
    { origin },
  );
  const user = userEvent.setup();
  const picture = pictureFile();
  await user.upload(await screen.findByLabelText(/picture/), picture);
  expect(await screen.findByText(/^Removing the background once, for 1 credit, serves all 2 /)).toBeTruthy();
  expect(screen.getByRole('status').textContent, 'not every answer is announced').toMatch(
    /^Ready for \w+ of 2 marketplaces$/,
  );
  await user.click(screen.getByRole('button', { name: 'Remove the background for Zalando' }));
  expect(mended).toEqual([picture]);
  expect(useExportChoice.getState().chosen.packs).toEqual(['zalando']);
  await act(() => router.navigate({ to: '/success' }));
  expect(screen.queryByText('Zalando')).toBe(null);
  router.history.back();
  expect(await screen.findByText('Zalando'), 'on the way back all of it is still there').toBeTruthy();
  expect(screen.getByAltText('Your picture')).toBeTruthy();
});
