// @vitest-environment jsdom
import { useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeRun } from '../../../test/makers.ts';
import { makePhoto } from '../../../test/photos.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { useUploadState } from '../upload/upload-state.ts';
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

test.each([
  [0, 'text-to-image', {}],
  [4, 'image-to-video', { duration: '5' }],
] as const)('with %i credits the way to more is all there is', async (credits, tool, fields) => {
  act(() => useUploadState.setState({ obstacle: 'credits' }));
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits }) });
  renderScreen(<UploadPanel run={makeRun({ tool, fields })} photos={[makePhoto('mug')]} isOurs />, { origin });
  expect(await screen.findByText(/^There are no credits for the next photo\./)).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  expect(screen.getByRole('link', { name: 'Get credits' })).toBeTruthy();
});

test('once credits are there it can be continued', async () => {
  act(() => useUploadState.setState({ obstacle: 'credits' }));
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits: 1 }) });
  renderScreen(<UploadPanel run={makeRun()} photos={[makePhoto('mug')]} isOurs />, { origin });
  expect(await screen.findByRole('button', { name: 'Continue' })).toBeTruthy();
});

test('what is sent of photos on their way counts, and how fast it goes is said', async () => {
  const MB = 1_048_576;
  act(() =>
    useUploadState.setState({
      obstacle: null,
      bytesSent: new Map([
        ['mug', MB],
        ['of another catalogue', MB],
      ]),
      bytesPerMs: (0.5 * MB) / 1000,
    }),
  );
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits: 9 }) });
  const photos = [makePhoto('mug', { bytes: 4 * MB }), makePhoto('cup', { bytes: MB, state: 'sent' })];
  const refused = makePhoto('jug', { bytes: MB, state: 'refused' });
  renderScreen(<UploadPanel run={makeRun()} photos={[...photos, refused]} isOurs />, { origin });
  expect(await screen.findByText('Uploading: 1 of 2 photos')).toBeTruthy();
  expect(await screen.findByText('2.0 MB of 5.0 MB, 0.5 MB a second')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Upload' }).getAttribute('value')).toBe(String(2 * MB));
});

test('after the last photo the panel stays, so that nothing below it moves, but not on a later visit', async () => {
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits: 9 }) });
  function Run() {
    const [hasArrived, setHasArrived] = useState(false);
    const photos = [makePhoto('mug', hasArrived ? { state: 'settled' } : {})];
    const run = makeRun({ status: hasArrived ? 'closed' : 'open' });
    return (
      <>
        <button onClick={() => setHasArrived(true)}>The last one arrives</button>
        <UploadPanel run={run} photos={photos} isOurs={hasArrived ? undefined : true} />
      </>
    );
  }
  const { unmount } = renderScreen(<Run />, { origin });
  await screen.findByText('Uploading: 0 of 1 photos');
  act(() => screen.getByRole('button', { name: 'The last one arrives' }).click());
  screen.getByText('Uploaded: 1 of 1 photos');
  expect(screen.queryByRole('button', { name: 'Pause upload' })).toBe(null);
  unmount();
  const settled = [makePhoto('mug', { state: 'settled' })];
  renderScreen(
    <>
      <p>there</p>
      <UploadPanel run={makeRun({ status: 'closed' })} photos={settled} isOurs={undefined} />
    </>,
    { origin },
  );
  await screen.findByText('there');
  expect(screen.queryByText(/Uploaded/)).toBe(null);
});
