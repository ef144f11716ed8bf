// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeRun } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { UploadPanel } from './UploadPanel.tsx';

test('that photos lie elsewhere is said only when it lasts: a run is open for a moment after its last photo', async () => {
  const { origin } = await startServer({});
  renderScreen(
    <>
      <p>there</p>
      <UploadPanel run={makeRun()} photos={[]} isOurs={undefined} />
    </>,
    { origin },
  );
  await screen.findByText('there');
  expect(screen.queryByText(/still takes photos from the browser/)).toBe(null);
  expect(await screen.findByText(/still takes photos from the browser/)).toBeTruthy();
});
