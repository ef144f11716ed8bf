// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sentences } from '@plinth/contract/errors';
import { makeMedia, makeSession } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { hangUp, inTurn, json, refuse, startServer, type Answers } from '../../test/server.ts';
import { linkToHistory } from './viewer-path.ts';
import { HistoryScreen } from './HistoryScreen.tsx';

// Deletions of an earlier test.
beforeEach(() => localStorage.clear());

/** Where downloads come from, in turn. */
function watchDownloads(): string[] {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.getAttribute('href') ?? '');
  });
  return saved;
}

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 5000).toISOString();

async function setUp(answers: Answers, at = '/dashboard/history') {
  const { origin, asked } = await startServer({ 'GET /api/v1/session': json(makeSession()), ...answers });
  const view = renderScreen(<HistoryScreen running={null} runningCount={0} isRunningKnown actions={() => null} />, {
    origin,
    path: '/dashboard/history/{-$mediaId}',
    at,
  });
  await screen.findByRole('heading', { name: 'Generated Media History' });
  return { ...view, asked, user: userEvent.setup() };
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
  expect(screen.getAllByRole('heading', { name: /^Background Customization, / })).toHaveLength(2);
  for (const type of ['Product image', 'portrait'])
    expect(screen.getByText(new RegExp(`^${type},`), { selector: '.caption' })).toBeTruthy();
  expect(screen.getAllByText('on a stone block')).toHaveLength(2);
  // Its link says what it is: a second name would be read twice.
  expect(document.querySelector('li img[alt=""]')?.getAttribute('src')).toBe('/api/v1/media/med_1/preview?width=640');
  expect(screen.getByText('39 h 00 min left')).toBeTruthy();
  expect(screen.getByText('3 h 00 min left').closest('.ends-soon')).not.toBeNull();
});

test('a video is fetched and played when somebody presses its button, and then has the focus', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const items = [makeMedia({ mediaType: 'basic_video', contentType: 'video/mp4', expiresAt: soon(10) })];
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const clip = await screen.findByLabelText(/^Basic video/, { selector: 'video' });
  expect(clip.getAttribute('preload')).toBe('none');
  await user.click(await screen.findByRole('button', { name: /^Play Basic video/ }));
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

test('everything is one download', async () => {
  const items = ['med_1', 'med_2', 'med_3'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const saved = watchDownloads();
  await user.click(await screen.findByRole('button', { name: 'Download all' }));
  await waitFor(() => expect(saved).toEqual(['/api/v1/media/archive']));
  expect(await screen.findByText('Download started!')).toBeTruthy();
});

test('once the session is over, its refusal is not saved as the file', async () => {
  const items = ['med_1', 'med_2'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user, asked } = await setUp({
    'GET /api/v1/media': json({ items, nextCursor: null }),
    'GET /api/v1/session': refuse('authentication_required'),
    'POST /api/v1/auth/refresh': refuse('refresh_token_not_found'),
  });
  const saved = watchDownloads();
  await user.click(await screen.findByRole('button', { name: 'Download all' }));
  await waitFor(() => expect(asked).toContain('POST /api/v1/auth/refresh'));
  expect(saved).toEqual([]);
  expect(screen.queryByText('Download started!')).toBeNull();
});

test('several are chosen and are one download', async () => {
  const items = ['med_1', 'med_2', 'med_3'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const saved = watchDownloads();
  await user.click(await screen.findByRole('button', { name: 'Select' }));
  const boxes = screen.getAllByRole('checkbox', { name: /^Select Product image/ });
  const zip = screen.getByRole('button', { name: 'Download ZIP' });
  expect(zip.getAttribute('aria-disabled')).toBe('true');
  await user.click(boxes[0]!);
  await user.click(boxes[2]!);
  expect(screen.getByText('2 selected')).toBeTruthy();
  await user.click(zip);
  await waitFor(() => expect(saved).toEqual(['/api/v1/media/archive?ids=med_1,med_3']));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('checkbox')).toBe(null);
});

test('what is on no page yet is offered to look for, and the last button for more hands on the focus', async () => {
  const one = (id: string, tool: 'remover' | 'dress-change') => makeMedia({ id, expiresAt: soon(10), tool });
  const { user } = await setUp({
    'GET /api/v1/media': inTurn(
      json({ items: [one('med_1', 'remover'), one('med_2', 'remover')], nextCursor: 'more' }),
      json({ items: [one('med_3', 'dress-change')], nextCursor: null }),
    ),
  });
  const chips = () => screen.getAllByRole('button', { pressed: false }).map(({ textContent }) => textContent?.trim());
  await screen.findByRole('searchbox');
  expect(chips()).toContain('Dress Changer');
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')[2]?.contains(document.activeElement)).toBe(true));
  expect(chips()).toEqual(['Remover Background', 'Dress Changer']);
});

test('results are found by tool and by words, also on pages that were not read yet', async () => {
  const first = [
    makeMedia({ id: 'med_1', expiresAt: soon(10), input: { prompt: 'Wooden table, morning light' } }),
    makeMedia({ id: 'med_2', expiresAt: soon(10), tool: 'remover', input: {} }),
  ];
  const second = [makeMedia({ id: 'med_3', expiresAt: soon(10), input: { prompt: 'light on a wooden floor' } })];
  const { user } = await setUp({
    'GET /api/v1/media': inTurn(json({ items: first, nextCursor: 'more' }), json({ items: second, nextCursor: null })),
  });
  const names = () => screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent?.split(',')[0]);
  const words = () => screen.getAllByRole('listitem').map((card) => card.querySelector('.media-words')?.textContent);
  const search = await screen.findByRole('searchbox', { name: 'Search words and photo names' });
  await user.type(search, 'WOODEN light');
  await waitFor(() => expect(words()).toEqual(['Wooden table, morning light', 'light on a wooden floor']));
  expect(screen.getByRole('button', { name: 'Download 2' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remover Background' }));
  expect(screen.getByText('No results for “WOODEN light”')).toBeTruthy();
  for (const name of ['Select', 'Download 0'])
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled'), name).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(names()).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Remover Background' }));
  expect(names()).toEqual(['Remover Background']);
});

test('a result without words shows its photo, and is found by it', async () => {
  const one = (id: string, photoName: string | null) =>
    makeMedia({ id, expiresAt: soon(10), tool: 'remover', input: {}, photoName });
  const items = [one('med_1', 'Lamp-040.jpg'), one('med_2', 'Lamp-041.jpg'), one('med_3', null)];
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const shown = () => screen.getAllByRole('listitem').map((card) => card.querySelector('.media-words')?.textContent);
  const search = await screen.findByRole('searchbox', { name: 'Search words and photo names' });
  expect(shown()).toEqual(['Lamp-040.jpg', 'Lamp-041.jpg', '']);
  await user.type(search, 'lamp-041');
  expect(shown()).toEqual(['Lamp-041.jpg']);
});

test('results of one photo and minute are told apart by their words, as long as those may be', async () => {
  const items = ['on oak', `in a kitchen ${'with lemons '.repeat(20)}`].map((prompt, index) =>
    makeMedia({ id: `med_${index}`, expiresAt: soon(10), input: { prompt } }),
  );
  await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  const buttons = await screen.findAllByRole('button', { name: /^Download Product image, / });
  const names = buttons.map((button) => button.getAttribute('aria-label'));
  expect(names[0]).toMatch(/, on oak$/);
  expect(names[1]).toMatch(/, in a kitchen with lemons .{20,60}…$/);
});

test('several are deleted together, and one Undo brings them back', async () => {
  const items = ['med_1', 'med_2', 'med_3'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) });
  await user.click(await screen.findByRole('button', { name: 'Select' }));
  const boxes = screen.getAllByRole('checkbox', { name: /^Select Product image/ });
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(boxes[0]!);
  await user.click(boxes[2]!);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('2 deleted')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.queryByRole('checkbox')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
});

test('a page that cannot be read is asked for once, and what was read before still stands there', async () => {
  const items = ['med_1', 'med_2'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { asked, user } = await setUp({
    'GET /api/v1/media': inTurn(json({ items, nextCursor: 'more' }), refuse('internal_error')),
  });
  await user.type(await screen.findByRole('searchbox', { name: 'Search words and photo names' }), 's');
  expect(await screen.findByText('Failed to load media history')).toBeTruthy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(asked.filter((one) => one.includes('/media?'))).toHaveLength(2);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

test('a deleted card is hidden at once and comes back with Undo', async () => {
  const { asked, user } = await setUp({
    'GET /api/v1/media': json({ items: [makeMedia({ expiresAt: soon(10) })], nextCursor: null }),
  });
  await user.click(await screen.findByRole('button', { name: /^More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(await screen.findByText('Deleted')).toBeTruthy();
  expect(screen.queryByText(/^Product image,/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  const back = (await screen.findByText(/^Product image,/, { selector: '.caption' })).closest('li');
  await waitFor(() => expect(back?.contains(document.activeElement), 'has the focus').toBe(true));
  expect(asked.some((request) => request.startsWith('DELETE'))).toBe(false);
});

test('after a deletion everything is still downloaded, also what is on pages that were not read yet', async () => {
  const items = ['med_1', 'med_2', 'med_3'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: 'more' }) });
  const saved = watchDownloads();
  await user.click((await screen.findAllByRole('button', { name: /^More actions/ }))[0]!);
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await screen.findByText('Deleted');
  await user.click(screen.getByRole('button', { name: 'Download all' }));
  await waitFor(() => expect(saved).toEqual(['/api/v1/media/archive']));
});

test('an address leads to one result large; keys turn to the next, close it, and it can be deleted there', async () => {
  const items = ['med_1', 'med_2'].map((id) => makeMedia({ id, expiresAt: soon(10) }));
  const { user, router } = await setUp(
    { 'GET /api/v1/media': json({ items, nextCursor: null }) },
    '/dashboard/history/med_1',
  );
  const viewer = await screen.findByRole('dialog', { name: 'Background Customization' });
  const path = () => router.state.location.pathname;
  expect(within(viewer).getByText('1 of 2')).toBeTruthy();
  expect(within(viewer).getByText('on a stone block')).toBeTruthy();
  await waitFor(() => expect(viewer.contains(document.activeElement)).toBe(true));
  await user.keyboard('{ArrowRight}');
  expect(await within(viewer).findByText('2 of 2')).toBeTruthy();
  expect(path()).toBe('/dashboard/history/med_2');
  await user.keyboard('b');
  await user.keyboard('?');
  expect(await screen.findByText('+ − 0 1')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('+ − 0 1')).toBe(null));
  await user.click(within(viewer).getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => expect(path()).toBe('/dashboard/history'));
  expect(await screen.findByText('Deleted')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: /, Product image, .*, view large$/ }));
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(path()).toBe('/dashboard/history');
});

test('a wheel over a clip in the large view leaves the arrows to turn to the next', async () => {
  vi.stubGlobal('ResizeObserver', function (tell: (entries: { contentRect: object }[]) => void) {
    return { observe: () => tell([{ contentRect: { width: 600, height: 400 } }]), unobserve() {}, disconnect() {} };
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const items = ['med_1', 'med_2'].map((id) => makeMedia({ id, contentType: 'video/mp4', expiresAt: soon(10) }));
  const { user } = await setUp({ 'GET /api/v1/media': json({ items, nextCursor: null }) }, '/dashboard/history/med_1');
  const viewer = within(await screen.findByRole('dialog'));
  const room = viewer.getByRole('group', { name: 'Video' });
  await waitFor(() => expect(room.contains(document.activeElement)).toBe(true));
  fireEvent.wheel(room, { deltaY: -400 });
  await user.keyboard('{ArrowRight}');
  expect(await viewer.findByText('2 of 2')).toBeTruthy();
});

test('an address of something that is not listed shows it, and one of nothing says so', async () => {
  const far = makeMedia({ id: 'med_far', expiresAt: soon(10), tool: 'remover' });
  const { router } = await setUp(
    {
      'GET /api/v1/media': json({ items: [], nextCursor: null }),
      'GET /api/v1/media/med_far': json(far),
    },
    '/dashboard/history/med_far',
  );
  await screen.findByRole('dialog', { name: 'Remover Background' });
  await router.navigate(linkToHistory('med_gone'));
  expect(await screen.findByText('This picture is no longer there.')).toBeTruthy();
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/history'));
});

test('an address that cannot be read just now is not called gone', async () => {
  const answers = { 'GET /api/v1/media': json({ items: [], nextCursor: null }), 'GET /api/v1/media/med_far': hangUp };
  await setUp(answers, '/dashboard/history/med_far');
  expect(await screen.findByText(/^No answer from the server/)).toBeTruthy();
  expect(screen.queryByText('This picture is no longer there.')).toBeNull();
});

test('a clip that is paused before it plays is not called broken', async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockRejectedValue(new DOMException('', 'AbortError'));
  onTestFinished(() => play.mockRestore());
  const clip = makeMedia({ contentType: 'video/mp4', tool: 'image-to-video', expiresAt: soon(10) });
  const { user } = await setUp({ 'GET /api/v1/media': json({ items: [clip], nextCursor: null }) });
  await user.click(await screen.findByRole('button', { name: /^Play / }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText(sentences.videoPlayFailed)).toBeNull();
});

test('a result of a catalogue is leafed through among those of the catalogue', async () => {
  const one = (id: string, words: string) => json(makeMedia({ id, input: { prompt: words } }));
  const { router, user } = await setUp({
    'GET /api/v1/media': json({ items: [makeMedia({ id: 'med_3' })], nextCursor: null }),
    'GET /api/v1/media/med_1': one('med_1', 'on oak'),
    'GET /api/v1/media/med_2': one('med_2', 'on stone'),
  });
  await act(() => router.navigate(linkToHistory('med_1', ['med_1', 'med_2'])));
  const viewer = await screen.findByRole('dialog', { name: 'Background Customization' });
  expect(within(viewer).getByText('1 of 2')).toBeTruthy();
  await user.click(within(viewer).getByRole('button', { name: 'The next one' }));
  expect(await within(viewer).findByText('on stone')).toBeTruthy();
  expect(within(viewer).getByText('2 of 2')).toBeTruthy();
});

test('an opened result never shows the one that was closed before it, however long it is awaited', async () => {
  const { router, asked, user } = await setUp({
    'GET /api/v1/media': json({ items: [], nextCursor: null }),
    'GET /api/v1/media/med_1': json(makeMedia({ id: 'med_1' })),
    'GET /api/v1/media/med_2': () => {},
  });
  await act(() => router.navigate(linkToHistory('med_1')));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  await act(() => router.navigate(linkToHistory('med_2')));
  await waitFor(() => expect(asked).toContain('GET /api/v1/media/med_2'));
  expect(screen.queryByRole('dialog')).toBe(null);
});
