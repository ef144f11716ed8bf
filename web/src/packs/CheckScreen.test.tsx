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
  renderScreen(<CheckScreen onMend={async () => {}} />, { origin });
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
  renderScreen(<CheckScreen onMend={async () => {}} />, { origin });
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(await screen.findByLabelText(/picture/), pictureFile('IMG_1.HEIC', 'image/heic'));
  const sentence = /This photo is HEIC: on an iPhone, share it with Options, Most Compatible/;
  await waitFor(() => expect(screen.getAllByText(sentence), 'in the box and in a toast').toHaveLength(2));
  expect(document.querySelector('.drop-well')?.className).toMatch(/is-refused/);
  expect(screen.getByRole('heading', { name: 'What is measured' })).toBeTruthy();
  expect(asked).toEqual([]);
});

test('one removal serves every shop, and the one that was pressed is chosen in Export', async () => {
  const needs = (pack: PackId) => ({ pack, ready: false, canFix: true, refusal: 'cutout_needed', rules: [] });
  const { origin } = await startServer({ [CHECKS]: json({ items: [needs('amazon-main'), needs('zalando')] }) });
  const mended: File[] = [];
  const { router } = renderScreen(<CheckScreen onMend={async (picture) => void mended.push(picture)} />, { origin });
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
