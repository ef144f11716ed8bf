// @vitest-environment jsdom
import type { ServerResponse } from 'node:http';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { makeMedia } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer, type Answers } from '../../test/server.ts';
import { HistoryScreen } from './HistoryScreen.tsx';

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 5000).toISOString();

async function setUp(answers: Answers) {
  const { origin, asked } = await startServer(answers);
  renderScreen(<HistoryScreen running={null} runningCount={0} />, { origin });
  await screen.findByRole('heading', { name: 'Generated Media History' });
  return { asked, user: userEvent.setup() };
}

test('empty: the two sentences and a way to begin', async () => {
  await setUp({ 'GET /api/v1/media': json({ items: [], nextCursor: null }) });
  expect(await screen.findByText('No media found')).toBeTruthy();
  expect(screen.getByText('Start generating images or videos to see them here!')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Background Customization' }).getAttribute('href')).toBe(
    '/dashboard/text-to-image',
  );
});

test('a list that cannot be loaded says so and can be tried again', async () => {
  const { asked, user } = await setUp({ 'GET /api/v1/media': refuse('internal_error') });
  expect(await screen.findByText('Failed to load media history')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(asked).toHaveLength(2));
});

test('cards name their type, count down, and leave when their time is over', async () => {
  const items = [
    makeMedia({ id: 'med_1', expiresAt: soon(39) }),
    makeMedia({ id: 'med_2', mediaType: 'portrait', expiresAt: soon(3) }),
    makeMedia({ id: 'med_3', expiresAt: soon(-2) }),
  ];
  await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  expect(screen.getByText('Product image')).toBeTruthy();
  expect(screen.getByText('portrait')).toBeTruthy();
  expect(screen.getAllByText('Background Customization: on a stone block')).toHaveLength(2);
  expect(screen.getByAltText(/^Product image/).getAttribute('src')).toBe('/api/v1/media/med_1/preview?width=640');
  expect(screen.getByText('39 h 00 min left')).toBeTruthy();
  expect(screen.getByText('3 h 00 min left').closest('.left')?.className).toBe('left soon');
});

test('a video is played by a button whose name holds its length, and then has the focus', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'duration', 'get').mockReturnValue(4.04);
  const items = [makeMedia({ mediaType: 'basic_video', contentType: 'video/mp4', expiresAt: soon(10) })];
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const clip = await screen.findByLabelText(/^Basic video/, { selector: 'video' });
  fireEvent.loadedMetadata(clip);
  const button = await screen.findByRole('button', { name: /^Play Basic video/ });
  expect(button.textContent).toBe('0:04');
  expect(button.getAttribute('aria-label')).toContain('0:04');
  await user.click(button);
  await waitFor(() => expect(document.activeElement).toBe(clip));
});

test('after a deletion the keyboard goes on with the card that follows, at last with the heading', async () => {
  const items = ['med_1', 'med_2'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const remove = async () => {
    await user.click((await screen.findAllByRole('button', { name: /^More actions/ }))[0]!);
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  };
  await remove();
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole('listitem').contains(document.activeElement)).toBe(true));
  await remove();
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Generated Media History' })),
  );
});

test('many downloads speak once', async () => {
  const items = ['med_1', 'med_2', 'med_3'].map((id) =>
    makeMedia({ id, expiresAt: soon(10), downloadUrl: `/api/v1/media/${id}/download` }),
  );
  const bytes = (_request: unknown, response: ServerResponse) => void response.end('picture');
  const { asked, user } = await setUp({
    'GET /api/v1/media': json({ items, nextCursor: null }),
    ...Object.fromEntries(items.map(({ downloadUrl }) => [`GET ${downloadUrl}`, bytes])),
  });
  await user.click(await screen.findByRole('button', { name: 'Download 3' }));
  await waitFor(() => expect(asked.filter((request) => request.endsWith('/download'))).toHaveLength(3));
  await waitFor(() => expect(screen.getAllByText('Download started!')).toHaveLength(1));
  expect(screen.queryByText('Starting download...')).toBe(null);
});

test('a deleted card is hidden at once and comes back with Undo', async () => {
  const { asked, user } = await setUp({
    'GET /api/v1/media': json({ items: [makeMedia({ expiresAt: soon(10) })], nextCursor: null }),
  });
  await user.click(await screen.findByRole('button', { name: /^More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(await screen.findByText('Deleted')).toBeTruthy();
  expect(screen.queryByText('Product image')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Product image')).toBeTruthy();
  expect(asked.some((request) => request.startsWith('DELETE'))).toBe(false);
});
