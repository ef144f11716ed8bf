// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeGeneration, makeResult, makeRun, makeRunItem } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { RunScreen } from './RunScreen.tsx';

const made = (id: string, isThere = true) =>
  makeRunItem({
    id,
    sku: null,
    filename: `${id}.jpg`,
    generation: makeGeneration({
      tool: 'remover',
      input: {},
      runId: 'run_1',
      status: 'succeeded',
      result: isThere ? { ...makeResult(), mediaId: `med_${id}` } : null,
    }),
  });

async function setUp() {
  const counts = { total: 3, queued: 0, running: 0, succeeded: 3, failed: 0, canceled: 0 };
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1': json(makeRun({ status: 'finished', counts })),
    'GET /api/v1/runs/run_1/items': json({
      items: [made('mug'), made('lamp'), made('vase', false)],
      nextCursor: null,
    }),
    'GET /api/v1/tools': json({ items: [] }),
  });
  const { container } = renderScreen(<RunScreen />, { origin, path: '/runs/$runId', at: '/runs/run_1' });
  await screen.findByRole('link', { name: 'mug.jpg, view large' });
  return container;
}

const chips = () => screen.getAllByRole('button', { pressed: false }).map(({ textContent }) => textContent);

test('deleted pictures count as deleted in the head, in the filter and on their tiles', async () => {
  await setUp();
  expect(screen.getAllByText('2 of 3 ready, 1 no longer there').length).toBeGreaterThan(0);
  expect(chips()).toEqual(['Ready 2', 'Deleted 1']);
  expect(screen.getAllByText('Deleted', { selector: '.instead *' })).toHaveLength(1);
});

test.each([
  ['is gone says so everywhere and leads nowhere', 404, '1 of 3 ready, 2 no longer there', 1],
  ['was out of reach for a moment stays what it is', 503, '2 of 3 ready, 1 no longer there', 2],
])('a picture that %s', async (_what, status, head, links) => {
  const container = await setUp();
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status }));
  onTestFinished(() => asked.mockRestore());
  fireEvent.error(container.querySelector('.run-tile img')!);
  await waitFor(() => expect(asked).toHaveBeenCalledWith(expect.stringContaining('/preview'), { method: 'HEAD' }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.queryAllByRole('link', { name: /view large/ })).toHaveLength(links);
  expect(screen.getAllByText(head).length).toBeGreaterThan(0);
  expect(chips()).toEqual([`Ready ${links}`, `Deleted ${3 - links}`]);
});
