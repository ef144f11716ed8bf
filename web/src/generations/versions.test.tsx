// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Generation } from '@plinth/contract/generations';
import { tools, type ToolId } from '@plinth/contract/tools';
import { makeGeneration, makeMedia, makeResult } from '../../test/makers.ts';
import { clearBrowser, leavePage, pictureFile, renderScreen } from '../../test/screen.tsx';
import { breakOff, hangUp, inTurn, json, refuse, startServer, type Answer, type Answers } from '../../test/server.ts';
import { changeStage, changeTool, readTool, useMemory } from './memory.ts';
import { ToolScreen } from './ToolScreen.tsx';
import { putGeneration } from './useFollowed.ts';

const SUBMIT = 'POST /api/v1/tools/text-to-image/generations';
const nothing = { items: [], nextCursor: null };
const { says } = tools['text-to-image'];

function served(toolId: ToolId, ...fields: string[]) {
  const { name, cost, mediaType } = tools[toolId];
  const servedBy = { kind: 'built-in', name: 'Built-in engine' };
  const described = fields.map((one) => ({ name: one, type: 'choice', required: false, options: ['0', '1', '2'] }));
  return {
    items: [{ id: toolId, name, cost, mediaType, servedBy, returnable: true, fields: described }],
    returnsLeft: 2,
  };
}

beforeEach(clearBrowser);

async function setUp(answers: Answers = {}, toolId: ToolId = 'text-to-image') {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/generations': json(nothing),
    'GET /api/v1/media': json(nothing),
    'GET /api/v1/media/med_1': json(makeMedia()),
    'GET /api/v1/scenes': json({ items: [] }),
    'GET /api/v1/tools': json(served(toolId, 'variant')),
    ...answers,
  });
  const view = renderScreen(<ToolScreen toolId={toolId} />, { origin });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(asked).toContain('GET /api/v1/tools'));
  return { ...view, asked, user: userEvent.setup() };
}

/** Accepts each key once, as the server does, with the number of its acceptance as id; `said` may speak before. */
function accepting(said: (accepted: number) => Answer | undefined = () => undefined) {
  const ids = new Map<unknown, string>();
  const keys: unknown[] = [];
  const answer: Answer = async (request, response) => {
    const key = request.headers['idempotency-key'];
    keys.push(key);
    const instead = ids.has(key) ? undefined : said(ids.size);
    if (instead) return instead(request, response);
    if (!ids.has(key)) ids.set(key, `gen_${ids.size + 1}`);
    await json(makeGeneration({ id: ids.get(key)! }), 202)(request, response);
  };
  return { keys, ids, answers: { [SUBMIT]: answer } };
}

const made = (id: string, part: Partial<Generation> = {}) =>
  makeGeneration({
    id,
    status: 'succeeded',
    finishedAt: new Date().toISOString(),
    result: { ...makeResult(), understood: ['stone block'], notDrawn: [] },
    ...part,
  });
const stage = () => within(screen.getByRole('region', { name: 'Result' }));
const choice = () => within(screen.getByRole('group', { name: 'Versions to make' }));
const errorBox = () => document.querySelector('.error')?.textContent;
const submits = ({ asked }: { asked: string[] }) => asked.filter((request) => request === SUBMIT).length;
const row = () => within(stage().getByRole('group', { name: 'Versions' })).getAllByRole('button');
const names = () => row().map((one) => one.getAttribute('aria-label'));
/** Records the variants that forms are given: jsdom's forms do not travel over the real wire. */
function recordVariants(): () => unknown[] {
  const append = vi.spyOn(FormData.prototype, 'append');
  onTestFinished(() => append.mockRestore());
  return () => append.mock.calls.filter(([name]) => name === 'variant').map(([, value]) => value);
}

async function fillIn({ user }: Awaited<ReturnType<typeof setUp>>, versions = '3') {
  await user.upload(await screen.findByLabelText(/Product image/), pictureFile());
  await screen.findByText('vase.jpg');
  await user.type(screen.getByLabelText(/Scene description/), 'on a stone block');
  await user.click(choice().getByRole('button', { name: versions }));
}

const press = async ({ user }: Awaited<ReturnType<typeof setUp>>, name: RegExp) =>
  user.click(await screen.findByRole('button', { name }));

test('a tool without variants offers no versions; one with them offers one to four, and the press says its price', async () => {
  await setUp({}, 'remover');
  expect(screen.queryByRole('group', { name: 'Versions to make' })).toBeNull();
  leavePage();
  const view = await setUp();
  expect(
    choice()
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['1', '2', '3', '4']);
  expect(choice().getByRole('button', { pressed: true }).textContent).toBe('1');
  expect(screen.getByRole('button', { name: /^Generate.*1 credit$/ })).toBeTruthy();
  await view.user.click(choice().getByRole('button', { name: '3' }));
  expect(screen.getByRole('button', { name: /^Generate.*3 credits$/ })).toBeTruthy();
});

test('where what serves the tool knows no variants, none are offered', async () => {
  await setUp({ 'GET /api/v1/tools': json(served('text-to-image', 'marks')) });
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Versions to make' })).toBeNull());
});

test('one press sends each version with its own variant and key, and shows the first', async () => {
  const variants = recordVariants();
  const { keys, answers } = accepting();
  const view = await setUp(answers);
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  await waitFor(() => expect(submits(view)).toBe(3));
  expect(new Set(keys).size).toBe(3);
  expect(variants()).toEqual(['1', '2']); // The first is as without.
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(readTool('text-to-image').stage).toMatchObject({ shown: 'gen_1', row: ['gen_1', 'gen_2', 'gen_3'] });
  await waitFor(() => expect(readTool('text-to-image').stage.attempt).toBeNull());
});

test('they end side by side, each with its own acts; what is there is not paid again, and other words are a new press', async () => {
  const view = await setUp(accepting().answers);
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  await waitFor(() => expect(names()).toHaveLength(3));
  act(() => ['gen_1', 'gen_2', 'gen_3'].forEach((id) => putGeneration(made(id))));
  expect(await screen.findByRole('button', { name: /^Make again.*free, 3 left$/ })).toBeTruthy();
  await waitFor(() => expect(names()).toEqual(['Version 3', 'Version 2', 'Version 1']));
  await view.user.click(row()[0]!);
  expect(readTool('text-to-image').stage.shown).toBe('gen_3');
  expect(stage().getByRole('button', { name: says.download })).toBeTruthy();
  await view.user.type(screen.getByLabelText(/Scene description/), ', at night');
  await press(view, /^Generate again.*3 credits$/);
  await waitFor(() => expect(submits(view)).toBe(6));
});

test('while they run each can be looked at, and Cancel is for the one that is', async () => {
  const { answers } = accepting();
  const canceled: Answer = json(makeGeneration({ id: 'gen_2', status: 'canceled', refunded: true }));
  const view = await setUp({ ...answers, 'POST /api/v1/generations/gen_2/cancel': canceled });
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  await waitFor(() => expect(names()).toEqual(['Version 3, in work', 'Version 2, in work', 'Version 1, in work']));
  await view.user.click(row()[1]!);
  await view.user.click(await stage().findByRole('button', { name: 'Cancel this version' }));
  expect(await stage().findByText('Canceled. 1 credit returned.')).toBeTruthy();
  expect(names()).toEqual(['Version 3, in work', 'Version 1, in work']);
  act(() => ['gen_1', 'gen_3'].forEach((id) => putGeneration(made(id))));
  await waitFor(() => expect(names()).toEqual(['Version 3', 'Version 1']));
});

test('with too few credits nothing is sent; the refusal leads to them, with photo and words kept', async () => {
  const view = await setUp({ ...accepting().answers, 'GET /api/v1/credits': json({ credits: 2 }) });
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  expect(await screen.findByRole('link', { name: 'Get credits' })).toBeTruthy();
  expect(submits(view)).toBe(0);
  expect(useMemory.getState().unfinished).toBe('text-to-image');
  expect(readTool('text-to-image').draft).toMatchObject({ prompt: 'on a stone block', variant: '3' });
});

test('the second is refused: the first goes on, one sentence tells of the others, and a press makes what is missing', async () => {
  let isFull = true;
  const { keys, answers } = accepting((accepted) =>
    isFull && accepted === 1 ? refuse('too_many_generations') : undefined,
  );
  const view = await setUp(answers);
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  const told =
    'The other versions were not started and cost nothing. Too many generations are running. Please wait for one to finish.';
  await waitFor(() => expect(errorBox()).toBe(told));
  expect(keys).toHaveLength(2); // What would be refused the same is not asked.
  expect(readTool('text-to-image').stage).toMatchObject({ shown: 'gen_1', row: ['gen_1'], attempt: null });
  act(() => putGeneration(made('gen_1')));
  isFull = false;
  const variants = recordVariants();
  await press(view, /^Generate again.*2 credits$/);
  await waitFor(() => expect(readTool('text-to-image').stage.row).toEqual(['gen_1', 'gen_2', 'gen_3']));
  expect(variants()).toEqual(['1', '2']);
});

test('a version without an answer is sent once more with its key, and told; so is the next press, and nothing is paid twice', async () => {
  const { keys, answers } = accepting();
  const lose: Answer = async (request, response) => {
    keys.push(request.headers['idempotency-key']);
    await hangUp(request, response);
  };
  const view = await setUp({ [SUBMIT]: inTurn(answers[SUBMIT], lose, lose, answers[SUBMIT]) });
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  const told = 'There was no answer for the other versions. Press again to send them: nothing is paid twice.';
  await waitFor(() => expect(errorBox()).toBe(told));
  act(() => putGeneration(made('gen_1')));
  await press(view, /^Generate again.*2 credits$/);
  await waitFor(() => expect(keys).toHaveLength(5));
  expect(keys.slice(2, 4)).toEqual([keys[1], keys[1]]);
  expect(new Set(keys).size).toBe(3);
});

test.each([
  ['breaks off', breakOff],
  ['is of another shape', json({ id: 'gen_1' }, 202)],
  ['may have been accepted', refuse('temporarily_unavailable')],
])('an answer that %s keeps the key of its press', async (_what, answer) => {
  const { keys, answers } = accepting();
  const note: Answer = async (request, response) => {
    keys.push(request.headers['idempotency-key']);
    await answer(request, response);
  };
  const view = await setUp({ [SUBMIT]: inTurn(note, answers[SUBMIT]) });
  await fillIn(view, '1');
  await press(view, /^Generate.*1 credit$/);
  await waitFor(() => expect(errorBox()).toBeTruthy());
  await press(view, /^Generate.*1 credit$/);
  await waitFor(() => expect(keys).toEqual([keys[0], keys[0]]));
});

test('a press whose first answer was lost is not held up by the credits that it may have taken', async () => {
  let left = 4;
  const { keys, answers } = accepting();
  const lose: Answer = async (request, response) => {
    keys.push(request.headers['idempotency-key']);
    left = 3;
    await hangUp(request, response);
  };
  const view = await setUp({
    [SUBMIT]: inTurn(lose, answers[SUBMIT]),
    'GET /api/v1/credits': (request, response) => json({ credits: left })(request, response),
  });
  await fillIn(view, '4');
  await press(view, /^Generate.*4 credits$/);
  await waitFor(() => expect(errorBox()).toBeTruthy());
  await press(view, /^Generate.*4 credits$/);
  await waitFor(() => expect(keys).toHaveLength(5));
  expect(keys[1]).toBe(keys[0]);
});

test('what is left of a press is not sent again when somebody else signed in meanwhile', async () => {
  const { keys, answers } = accepting();
  const lose: Answer = async (request, response) => {
    keys.push(request.headers['idempotency-key']);
    await hangUp(request, response);
  };
  const view = await setUp({ [SUBMIT]: inTurn(answers[SUBMIT], lose, answers[SUBMIT]) });
  await fillIn(view);
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  const wait = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => wait.mockRestore());
  await press({ ...view, user }, /^Generate.*3 credits$/);
  await waitFor(() => expect(keys).toHaveLength(2));
  await waitFor(() => expect(wait).toHaveBeenCalledWith(expect.any(Function), 2000));
  changeTool('text-to-image', { sending: null });
  changeStage('text-to-image', { shown: null, row: [], made: {}, attempt: null });
  await vi.advanceTimersByTimeAsync(2000);
  await expect(waitFor(() => expect(keys).toHaveLength(3), { timeout: 500 })).rejects.toThrow('to have a length of 3');
  expect(readTool('text-to-image')).toMatchObject({ refusal: null, stage: { shown: null, row: [] } });
});

/** A reload in the middle of sending three versions, so long after their press. The first was accepted. */
async function reloadInTheMiddle(agoMs = 0) {
  let isAway = false;
  const { keys, ids, answers } = accepting((accepted) => {
    isAway = accepted === 1;
    return isAway ? () => {} : undefined;
  });
  const view = await setUp(answers);
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  await waitFor(() => expect(isAway).toBe(true));
  const before = [...keys];
  expect(ids.size).toBe(1);
  // What a reload takes; this test's files do not survive a browser's database.
  cleanup();
  changeTool('text-to-image', { sending: null, takingUp: 'due' });
  const now = Date.now() + agoMs;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const back = accepting();
  back.ids.set(before[0], 'gen_1');
  const running = makeGeneration({ id: 'gen_1', status: 'running' });
  await setUp({
    ...back.answers,
    'GET /api/v1/generations': json({ items: [running], nextCursor: null }),
    'GET /api/v1/generations/gen_1': json(running),
  });
  return { before, back: back.keys };
}

test('a reload in the middle sends what was still to come, with the same keys', async () => {
  const { before, back } = await reloadInTheMiddle();
  await waitFor(() => expect(readTool('text-to-image').stage.row).toEqual(['gen_1', 'gen_2', 'gen_3']));
  expect(back[0]).toBe(before[1]);
  expect(back).toHaveLength(2);
  expect(readTool('text-to-image').stage).toMatchObject({ shown: 'gen_1', attempt: null });
  expect(stage().getByText(says.working)).toBeTruthy();
});

test('whoever comes back ten minutes after a press pays nothing more for it, and is told', async () => {
  const { back } = await reloadInTheMiddle(10 * 60_000);
  await waitFor(() => expect(errorBox()).toBe('The other versions were not started and cost nothing.'));
  expect(back).toEqual([]);
  expect(readTool('text-to-image').stage).toMatchObject({ row: ['gen_1'], attempt: null });
});

test('a version that fails leaves the others where they are, and one press makes it anew', async () => {
  const view = await setUp(accepting().answers);
  await fillIn(view, '2');
  await press(view, /^Generate.*2 credits$/);
  await waitFor(() => expect(names()).toHaveLength(2));
  const error = { code: 'provider_failed', message: says.failed } as const;
  act(() => {
    putGeneration(made('gen_1'));
    putGeneration(makeGeneration({ id: 'gen_2', status: 'failed', refunded: true, error }));
  });
  expect(await stage().findByRole('button', { name: says.download })).toBeTruthy();
  expect(stage().queryByRole('group', { name: 'Versions' })).toBeNull();
  const variants = recordVariants();
  await press(view, /^Generate again.*1 credit$/);
  await waitFor(() => expect(submits(view)).toBe(3));
  expect(variants()).toEqual(['1']);
});

test('what cannot be read for a while is not forgotten on the stage', async () => {
  changeStage('text-to-image', { shown: 'gen_2', row: ['gen_1', 'gen_2'] });
  await setUp({
    'GET /api/v1/generations/gen_1': json(made('gen_1')),
    'GET /api/v1/generations/gen_2': refuse('temporarily_unavailable'),
  });
  await waitFor(() => expect(readTool('text-to-image').takingUp).toBe('done'));
  expect(readTool('text-to-image').stage).toMatchObject({ shown: 'gen_2', row: ['gen_1', 'gen_2'] });
});

test('a picture that could not be loaded is asked for again by a press', async () => {
  changeStage('text-to-image', { shown: 'gen_1', row: ['gen_1'] });
  const { user } = await setUp({ 'GET /api/v1/generations/gen_1': json(made('gen_1')) });
  fireEvent.error(await stage().findByRole('img', { name: /^Result/ }));
  await user.click(stage().getByRole('button', { name: 'Try again' }));
  expect(stage().getByRole('img', { name: /^Result/ })).toBeTruthy();
});
