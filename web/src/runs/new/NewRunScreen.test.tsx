// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeRun } from '../../../test/makers.ts';
import { pictureFile, renderScreen } from '../../../test/screen.tsx';
import { json, startServer, type Answers } from '../../../test/server.ts';
import { FRESH, putPhotos } from '../photo-actions.ts';
import { NOT_STARTED, usePhotos } from '../photos.ts';
import { NewRunScreen } from './NewRunScreen.tsx';

const photo = { ...FRESH, runId: NOT_STARTED, type: 'image/jpeg', bytes: 5, addedAt: 1 };

async function setUp(answers: Answers = {}) {
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 9 }),
    'GET /api/v1/looks': json({ items: [] }),
    'GET /api/v1/scenes': json({ items: [] }),
    'GET /api/v1/tools': json({ items: [], returnsLeft: 2 }),
    ...answers,
  });
  renderScreen(<NewRunScreen />, { origin });
  await screen.findByRole('heading', { level: 1 });
  return userEvent.setup();
}

const putNamed = (...ids: string[]) =>
  act(() => putPhotos(ids.map((id, place) => ({ ...photo, id, place, name: `${id}.jpg`, path: `${id}.jpg` }))));

test('the price is that of what was chosen: a longer video costs more', async () => {
  const user = await setUp();
  putNamed('a', 'b');
  await user.selectOptions(screen.getByLabelText(/^Tool/), 'image-to-video');
  expect(await screen.findByText(/^, 10 credits/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText(/^Length/), '12');
  expect(await screen.findByText(/^, 24 credits/)).toBeTruthy();
  expect(screen.getByText('15 credits missing.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Start/ })).toBeNull();
});

test('photos that are added twice at once stand there once, and what cannot be read takes nothing with it', async () => {
  await setUp();
  const locked = new File(['x'], 'Thumbs.db');
  const unread = new File(['x'], 'mug');
  for (const file of [locked, unread]) file.slice = () => ({ arrayBuffer: () => Promise.reject(new Error()) }) as never;
  File.prototype.stream = () => ({}) as ReadableStream<never>;
  const files = [pictureFile('a.jpg'), pictureFile('b.jpg'), locked, unread];
  const well = screen.getByLabelText('Photos and list');
  fireEvent.change(well, { target: { files } });
  fireEvent.change(well, { target: { files } });
  expect(await screen.findByText(/^, 2 credits/)).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Leave out/ })).toHaveLength(2);
  expect(screen.getByText('mug was left out: only photos and one CSV list can be used here.')).toBeTruthy();
});

test('after a photo was left out the focus goes on with the next one, in the end with where photos are chosen', async () => {
  const user = await setUp();
  putNamed('a', 'b', 'c', 'd');
  const leave = (name: string) => screen.getByRole('button', { name: `Leave out ${name}` });
  const press = async (button: HTMLElement) => {
    act(() => button.focus());
    await user.keyboard('{Enter}');
  };
  await waitFor(() => expect(leave('a.jpg')).toBeTruthy());
  await press(leave('b.jpg'));
  expect(document.activeElement).toBe(leave('c.jpg'));
  await press(leave('d.jpg'));
  expect(document.activeElement).toBe(leave('c.jpg'));
  await press(screen.getByRole('button', { name: 'Remove all' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Photos and list'));
});

test('Enter begins a catalogue from its name, but not from a field of a photo', async () => {
  let starts = 0;
  const user = await setUp({ 'POST /api/v1/runs': () => void (starts += 1) });
  putNamed('a');
  await user.selectOptions(screen.getByLabelText(/^Tool/), 'remover');
  await user.type(screen.getByLabelText(/^Name/), 'Cups');
  await user.type(screen.getByLabelText('SKU of a.jpg'), 'A1{Enter}');
  expect(screen.queryByText('Starting...')).toBeNull();
  await user.type(screen.getByLabelText(/^Name/), '{Enter}');
  await waitFor(() => expect(starts).toBe(1));
});

test('what is changed while the start is on its way goes into the catalogue as it stands then', async () => {
  let begin: (() => void) | undefined;
  const user = await setUp({
    'POST /api/v1/runs': (request, response) => {
      begin = () => void json(makeRun(), 202)(request, response);
    },
    'POST /api/v1/runs/run_1/items': () => {},
  });
  putNamed('a', 'b');
  await user.selectOptions(screen.getByLabelText(/^Tool/), 'remover');
  await user.type(screen.getByLabelText(/^Name/), 'Cups');
  await user.click(await screen.findByRole('button', { name: /^Start/ }));
  await user.click(screen.getByRole('button', { name: 'Leave out b.jpg' }));
  await user.type(screen.getByLabelText('SKU of a.jpg'), 'A1');
  // Nobody has seen its price.
  act(() => putNamed('late'));
  await waitFor(() => expect(begin).toBeTruthy());
  begin!();
  await screen.findByText('Elsewhere');
  expect(usePhotos.getState().photos).toMatchObject([
    { id: 'a', runId: 'run_1', sku: 'A1' },
    { id: 'late', runId: NOT_STARTED },
  ]);
});
