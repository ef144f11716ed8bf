// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { CheckScreen } from './CheckScreen.tsx';

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
  expect(
    await screen.findByText(/This photo is HEIC: on an iPhone, share it with Options, Most Compatible/),
  ).toBeTruthy();
  expect(asked).toEqual([]);
});
