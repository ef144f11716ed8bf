// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { errors } from '@plinth/contract/errors';
import type { Generation } from '@plinth/contract/generations';
import { tools, type ToolId } from '@plinth/contract/tools';
import { makeGeneration, makeMedia, makeResult } from '../../test/makers.ts';
import { clearBrowser, leavePage, pictureFile, renderScreen } from '../../test/screen.tsx';
import { breakOff, hangUp, inTurn, json, refuse, startServer, type Answer, type Answers } from '../../test/server.ts';
import { changeDraft, changeStage, readDraft, readPage, readStage, rememberForm, useMemory } from './memory.ts';
import { ToolScreen } from './ToolScreen.tsx';
import { putGeneration } from './followed.ts';

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

test('beside other words or another photo nothing offers a version of the old ones', async () => {
  const { answers } = accepting();
  const view = await setUp(answers);
  await fillIn(view, '2');
  await press(view, /^Generate.*2 credits$/);
  await waitFor(() => expect(view.asked.filter((request) => request === SUBMIT)).toHaveLength(2));
  act(() => ['gen_1', 'gen_2'].forEach((id) => putGeneration(made(id, { redosLeft: 3 }))));
  const another = () => stage().queryByRole('button', { name: /^Another version/ });
  expect(await screen.findByRole('button', { name: /^Make one more.*free, 3 left$/ })).toBeTruthy();
  expect(another(), 'the form makes it').toBeNull();
  await view.user.click(choice().getByRole('button', { name: '3' }));
  expect(another(), 'the form would charge for more').not.toBeNull();
  await view.user.type(screen.getByLabelText(/Scene description/), ' at dusk');
  expect(await screen.findByRole('button', { name: /^Generate again.*3 credits$/ })).toBeTruthy();
  expect(another()).toBeNull();
  changeDraft('text-to-image', ({ image: _taken, ...words }) => words);
  await waitFor(() => expect(stage().getByRole('button', { name: says.download })).toBeTruthy());
  expect(another()).toBeNull();
});

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
  const { shown, row: ids } = readStage('text-to-image');
  expect([shown, ids[0], [...ids].sort()]).toEqual(['gen_1', 'gen_1', ['gen_1', 'gen_2', 'gen_3']]);
  await waitFor(() => expect(readStage('text-to-image').attempt).toBeNull());
});

test('they end side by side, each with its own acts; what is there is not paid again, and other words are a new press', async () => {
  const view = await setUp(accepting().answers);
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  await waitFor(() => expect(names()).toHaveLength(3));
  act(() => ['gen_1', 'gen_2', 'gen_3'].forEach((id) => putGeneration(made(id))));
  expect(await screen.findByRole('button', { name: /^Make one more.*free, 3 left$/ })).toBeTruthy();
  await waitFor(() => expect(names()).toEqual(['Version 3', 'Version 2', 'Version 1']));
  await view.user.click(row()[0]!);
  expect(readStage('text-to-image').shown).toBe('gen_3');
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

test('the credits end with the third of four: two go on, one sentence leads to credits, and a press makes what is missing', async () => {
  let isPoor = true;
  const { keys, ids, answers } = accepting((accepted) =>
    isPoor && accepted === 2 ? refuse('insufficient_credits') : undefined,
  );
  const view = await setUp(answers);
  await fillIn(view, '4');
  await press(view, /^Generate.*4 credits$/);
  const told = `The other versions were not started and cost nothing. ${errors.insufficient_credits.detail}Get credits`;
  await waitFor(() => expect(errorBox()).toBe(told));
  expect([keys.length, ids.size]).toEqual([4, 2]);
  expect(readStage('text-to-image')).toMatchObject({ shown: 'gen_1', row: ['gen_1', 'gen_2'], attempt: null });
  expect(useMemory.getState().unfinished).toBe('text-to-image');
  expect(readDraft('text-to-image')).toMatchObject({ prompt: 'on a stone block', variant: '4' });
  act(() => ['gen_1', 'gen_2'].forEach((id) => putGeneration(made(id))));
  isPoor = false;
  await press(view, /^Generate again.*2 credits$/);
  await waitFor(() => expect(readStage('text-to-image').row).toHaveLength(4));
  expect(ids.size).toBe(4);
});

/** Loses the answer to the second of three versions after it was accepted. */
async function loseSecond() {
  let isLost = false;
  const { keys, ids, answers } = accepting();
  const lose: Answer = async (request, response) => {
    if (isLost || keys.length !== 1) return answers[SUBMIT](request, response);
    isLost = true;
    keys.push(request.headers['idempotency-key']);
    ids.set(request.headers['idempotency-key'], 'gen_lost');
    await hangUp(request, response);
  };
  const view = await setUp({ [SUBMIT]: lose });
  await fillIn(view);
  await press(view, /^Generate.*3 credits$/);
  const told = 'There was no answer for the other versions. Press again to send them: nothing is paid twice.';
  await waitFor(() => expect(errorBox()).toBe(told));
  // What a reload keeps of it, too.
  const { attempt } = readStage('text-to-image');
  expect(keys.slice(1).sort()).toEqual([`${attempt?.key}-1`, `${attempt?.key}-2`]);
  return { view, keys, ids };
}

test('a version whose answer was lost is told, and the next press asks for it with its key: nothing is paid twice', async () => {
  const { view, keys, ids } = await loseSecond();
  act(() => ['gen_1', 'gen_3'].forEach((id) => putGeneration(made(id))));
  await press(view, /^Generate again.*1 credit$/);
  await waitFor(() => expect(readStage('text-to-image').row).toContain('gen_lost'));
  expect([keys.length, keys[3], ids.size]).toEqual([4, keys[1], 3]);
  await waitFor(() => expect(readStage('text-to-image').attempt).toBeNull());
});

test('a first version that failed meanwhile is made anew, by another key', async () => {
  const { view, keys, ids } = await loseSecond();
  const error = { code: 'provider_failed', message: says.failed } as const;
  act(() => {
    putGeneration(makeGeneration({ id: 'gen_1', status: 'failed', refunded: true, error }));
    putGeneration(made('gen_3'));
  });
  await press(view, /^Generate.*2 credits$/);
  await waitFor(() => expect(keys).toHaveLength(5));
  expect(keys.slice(3)).toContain(keys[1]);
  expect(keys.slice(3)).not.toContain(keys[0]);
  await waitFor(() => expect(ids.size).toBe(4));
});

test('while the others are on their way nothing else is pressed, so that all of them are known', async () => {
  let answerLate = () => {};
  const late = new Promise<void>((resolve) => (answerLate = resolve));
  const { keys, answers } = accepting();
  const wait: Answer = async (request, response) => {
    if (keys.length > 0) await late;
    await answers[SUBMIT](request, response);
  };
  const view = await setUp({ [SUBMIT]: wait });
  await fillIn(view, '2');
  await press(view, /^Generate.*2 credits$/);
  await waitFor(() => expect(readPage('text-to-image').isSendingOthers).toBe(true));
  act(() => putGeneration(made('gen_1')));
  await view.user.type(screen.getByLabelText(/Scene description/), ', at night');
  fireEvent.submit(document.querySelector('form')!);
  answerLate();
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(keys).toHaveLength(2);
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

test('the form follows what is shown, also where what serves the tool makes no choice of it', async () => {
  const { user } = await setUp({}, 'image-to-video');
  await screen.findByText('Built-in engine');
  await waitFor(() => expect(readPage('image-to-video').resumption).toBe('done'));
  const image = { file: pictureFile(), width: 8, height: 8 };
  act(() => {
    for (const [id, prompt] of Object.entries({ gen_1: 'slow turn', gen_2: 'glide closer' })) {
      putGeneration(made(id, { tool: 'image-to-video' }));
      rememberForm(id, { image: '/vase.jpg/2048', prompt });
      changeDraft('image-to-video', () => ({ image, prompt }));
    }
    changeStage('image-to-video', { shown: 'gen_2', row: ['gen_1', 'gen_2'] });
  });
  await user.click(await stage().findByRole('button', { name: 'Version 1' }));
  await waitFor(() => expect(screen.getByLabelText(/Motion Description/)).toHaveProperty('value', 'slow turn'));
});

test('what cannot be read for a while is not forgotten on the stage', async () => {
  changeStage('text-to-image', { shown: 'gen_2', row: ['gen_1', 'gen_2'] });
  await setUp({
    'GET /api/v1/generations/gen_1': json(made('gen_1')),
    'GET /api/v1/generations/gen_2': refuse('temporarily_unavailable'),
  });
  await waitFor(() => expect(readPage('text-to-image').resumption).toBe('done'));
  expect(readStage('text-to-image')).toMatchObject({ shown: 'gen_2', row: ['gen_1', 'gen_2'] });
});

test('a picture that could not be loaded is asked for again by a press', async () => {
  changeStage('text-to-image', { shown: 'gen_1', row: ['gen_1'] });
  const { user } = await setUp({ 'GET /api/v1/generations/gen_1': json(made('gen_1')) });
  fireEvent.error(await stage().findByRole('img', { name: /^Result/ }));
  await user.click(stage().getByRole('button', { name: 'Try again' }));
  expect(stage().getByRole('img', { name: /^Result/ })).toBeTruthy();
});
