// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeGeneration, makeResult, makeRun, makeRunItem } from '../../../test/makers.ts';
import { makePhoto } from '../../../test/photos.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { inTurn, json, startServer } from '../../../test/server.ts';
import { say } from '../../ui/above/toast.tsx';
import { putPhotos } from '../photo-actions.ts';
import { useUploadState } from '../upload/upload-state.ts';
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

const page = (...items: ReturnType<typeof made>[]) => json({ items, nextCursor: null });
const FIRST = page(made('mug'), made('lamp'), made('vase', false));

async function setUp(items = FIRST) {
  const counts = { total: 3, queued: 0, running: 0, succeeded: 3, failed: 0, canceled: 0 };
  const { origin, asked } = await startServer({
    'GET /api/v1/runs/run_1': json(makeRun({ status: 'finished', counts })),
    'GET /api/v1/runs/run_1/items': items,
    'GET /api/v1/tools': json({ items: [] }),
  });
  const { container } = renderScreen(<RunScreen />, { origin, path: '/runs/$runId', at: '/runs/run_1' });
  await screen.findByRole('link', { name: 'mug.jpg, view large' });
  return { container, asked };
}

test('a canceled catalogue counts every credit that came back, also of what was at work when it was canceled', async () => {
  const canceled = (id: string, refunded: boolean) =>
    makeRunItem({ id, generation: makeGeneration({ tool: 'remover', runId: 'run_1', status: 'canceled', refunded }) });
  const counts = { total: 3, queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 3 };
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1': json(makeRun({ status: 'canceled', counts })),
    'GET /api/v1/runs/run_1/items': page(canceled('a', true), canceled('b', true), canceled('c', false)),
    'GET /api/v1/tools': json({ items: [] }),
  });
  renderScreen(<RunScreen />, { origin, path: '/runs/$runId', at: '/runs/run_1' });
  expect(await screen.findByText('2 credits returned.')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('0 of 3 ready, 3 canceled. 2 credits returned.');
});

test('the focus stays on the title from the first paint on, whose words come with the answer', async () => {
  const answers = Promise.withResolvers<void>();
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1': (...call) => void answers.promise.then(() => json(makeRun({ name: 'Mugs' }))(...call)),
    'GET /api/v1/runs/run_1/items': page(),
    'GET /api/v1/tools': json({ items: [] }),
  });
  renderScreen(<RunScreen />, { origin, path: '/runs/$runId', at: '/runs/run_1' });
  const title = await screen.findByRole('heading', { level: 1 });
  title.focus();
  answers.resolve();
  await waitFor(() => expect(title.textContent).toBe('Mugs'));
  expect(document.activeElement).toBe(title);
});

test('after a catalogue is canceled the focus is on its title, because Cancel is gone', async () => {
  const counts = { total: 1, queued: 0, running: 1, succeeded: 0, failed: 0, canceled: 0 };
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1': json(makeRun({ status: 'closed', counts })),
    'GET /api/v1/runs/run_1/items': page(),
    'GET /api/v1/tools': json({ items: [] }),
    'POST /api/v1/runs/run_1/cancel': json(makeRun({ status: 'canceled', counts })),
  });
  renderScreen(<RunScreen />, { origin, path: '/runs/$runId', at: '/runs/run_1' });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel catalogue' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Cancel/ })).toBe(null));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

const chips = () => screen.getAllByRole('button', { pressed: false }).map(({ textContent }) => textContent);

test('deleted pictures count as deleted in the head, in the filter and on their tiles', async () => {
  await setUp();
  expect(screen.getAllByText('2 of 3 ready, 1 no longer there').length).toBeGreaterThan(0);
  expect(chips()).toEqual(['Ready 2', 'Deleted 1']);
  expect(screen.getAllByText('Deleted', { selector: '.instead *' })).toHaveLength(1);
});

test.each([
  ['is gone says so everywhere and leads nowhere', false, '1 of 3 ready, 2 no longer there', 1],
  ['was out of reach for a moment stays what it is', true, '2 of 3 ready, 1 no longer there', 2],
])('a picture that %s', async (_what, isThere, head, links) => {
  const then = page(made('mug'), made('lamp', isThere), made('vase', false));
  const { container, asked } = await setUp(inTurn(FIRST, then));
  const pictures = [...container.querySelectorAll('.run-tile img')];
  for (const picture of pictures) fireEvent.error(picture);
  const reads = () => asked.filter((one) => one.startsWith('GET /api/v1/runs/run_1/items'));
  await waitFor(() => expect(reads()).toHaveLength(2));
  await waitFor(() => expect(screen.queryAllByRole('link', { name: /view large/ })).toHaveLength(links));
  expect(screen.getAllByText(head).length).toBeGreaterThan(0);
  expect(chips()).toEqual([`Ready ${links}`, `Deleted ${3 - links}`]);
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(reads(), 'once for all that could not be drawn').toHaveLength(2);
});

test('what was not taken is decided in the tab that sends: another one could do nothing for it', async () => {
  const sendHere = (isHere: boolean) => act(() => useUploadState.setState({ runs: new Map([['run_1', isHere]]) }));
  await setUp();
  sendHere(false);
  act(() => putPhotos([makePhoto('jug', { state: 'refused', refusal: 'It is too small.' })]));
  expect(screen.queryByText('1 photo not taken')).toBeNull();
  sendHere(true);
  expect(screen.getByText('1 photo not taken')).toBeTruthy();
});

test('the head counts what the filters count, also where the run was told of first', async () => {
  const atWork = makeGeneration({ tool: 'remover', input: {}, runId: 'run_1', status: 'running' });
  await setUp(page(made('mug'), made('lamp'), makeRunItem({ id: 'vase', generation: atWork })));
  expect(screen.getAllByText('2 of 3 ready, 1 at work').length).toBeGreaterThan(0);
  expect(chips()).toEqual(['Ready 2', 'At work 1']);
});

test('the head counts what the filters count, also while the line drops between the run and its pictures', async () => {
  const counts = { total: 4, queued: 2, running: 2, succeeded: 0, failed: 0, canceled: 0 };
  const waiting = makeGeneration({ tool: 'remover', input: {}, runId: 'run_1', status: 'queued' });
  const items = ['a', 'b'].map((id) => makeRunItem({ id, generation: waiting }));
  const sent = ['a', 'b', 'c', 'd'].map((id) => makePhoto(id, { state: 'sent', itemId: id }));
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1': json(makeRun({ status: 'open', counts })),
    'GET /api/v1/runs/run_1/items': page(...items),
    'GET /api/v1/tools': json({ items: [] }),
  });
  act(() => putPhotos(sent));
  renderScreen(<RunScreen />, { origin, path: '/runs/$runId', at: '/runs/run_1' });
  await waitFor(() => expect(chips()).toEqual(['Waiting 4']));
  expect(screen.getAllByText('0 of 4 ready, 4 waiting').length).toBeGreaterThan(0);
});

test('what was said of its end on another page is not said once more on its own', async () => {
  say.wrong('It is done.', { id: 'run-run_1' });
  say.wrong('And something else.');
  await setUp();
  await screen.findByText('And something else.');
  await waitFor(() => expect(screen.queryByText('It is done.')).toBeNull());
});
