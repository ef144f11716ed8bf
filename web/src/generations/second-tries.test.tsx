// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { toast } from 'sonner';
import { expect, test, vi } from 'vitest';
import type { Generation } from '@plinth/contract/generations';
import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import { tools, type ToolId } from '@plinth/contract/tools';
import { makeGeneration, makeMedia, makeResult } from '../../test/makers.ts';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { hangUp, inTurn, json, read, refuse, startServer, type Answer, type Answers } from '../../test/server.ts';
import { putGeneration, readFollowed } from './followed.ts';
import { changeDraft, findShown, rememberForm, showGeneration, assignToast } from './memory.ts';
import { STACKED } from '../platform/media-query.ts';
import { say } from '../ui/above/toast.tsx';
import { ToolScreen } from './ToolScreen.tsx';
import { ViewedActions } from './tries/ViewedActions.tsx';
import { useTool } from './useTool.ts';

const nothing = { items: [], nextCursor: null };
const scenes = [
  { id: 'oak', words: 'wooden table', imageUrl: '/scenes/oak.webp' },
  { id: 'marble', words: 'marble shelf', imageUrl: '/scenes/marble.webp' },
  { id: 'sand', words: 'sand, low sun', imageUrl: '/scenes/sand.webp' },
];

function served(toolId: ToolId, part: { kind?: string; returnsLeft?: number } = {}) {
  const { name, cost, mediaType } = tools[toolId];
  const fields = [{ name: 'marks', type: 'marks', required: false }];
  const servedBy = { kind: part.kind ?? 'built-in', name: 'Built-in engine' };
  const returnable = servedBy.kind === 'built-in';
  return {
    items: [{ id: toolId, name, cost, mediaType, servedBy, returnable, fields }],
    returnsLeft: part.returnsLeft ?? 2,
  };
}

/** A tool's screen with this generation on its stage. */
async function setUp(toolId: ToolId, generation: Generation, answers: Answers = {}) {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 9 }),
    'GET /api/v1/generations': json(nothing),
    [`GET /api/v1/generations/${generation.id}/before`]: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'image/webp' }).end('photo'),
    'GET /api/v1/media/med_1': json(makeMedia()),
    'GET /api/v1/scenes': json({ items: scenes }),
    'GET /api/v1/tools': json(served(toolId)),
    ...answers,
  });
  const view = renderScreen(<ToolScreen toolId={toolId} />, { origin });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(asked).toContain('GET /api/v1/tools'));
  act(() => {
    putGeneration(generation);
    showGeneration(generation);
  });
  return { ...view, asked, user: userEvent.setup() };
}

const ended = (part: Partial<Generation> = {}) =>
  makeGeneration({ status: 'succeeded', finishedAt: new Date().toISOString(), result: makeResult(), ...part });
const made = (understood: string[], notDrawn: string[] = [], part: Partial<Generation> = {}) =>
  ended({ result: { ...makeResult(), understood, notDrawn }, ...part });
const cutOut = (part: Partial<Generation> = {}) => ended({ tool: 'remover', input: {}, ...part });
const readToasts = () => toast.getToasts().map((shown) => 'title' in shown && shown.title);
const stage = () => within(screen.getByRole('region', { name: 'Result' }));

/** Records what was sent. */
function recording(answer: Answer): { sent: string[]; keys: unknown[]; answer: Answer } {
  const sent: string[] = [];
  const keys: unknown[] = [];
  return {
    sent,
    keys,
    answer: async (request, response) => {
      keys.push(request.headers['idempotency-key']);
      sent.push(await read(request));
      await answer(request, response);
    },
  };
}

test('understood: what was made and what was not drawn; the form beside it is where words are changed', async () => {
  await setUp('text-to-image', made(['wooden table', 'warm light'], ['velvet sofa']));
  expect(await stage().findByText('Made: wooden table, warm light.')).toBeTruthy();
  expect(stage().getByText('Not drawn: velvet sofa.')).toBeTruthy();
  expect(stage().queryByRole('textbox')).toBeNull();
});

test('nothing understood: that is said first', async () => {
  await setUp('text-to-image', made([], ['saturn']));
  expect(await stage().findByText('The nearest scene we have to these words.')).toBeTruthy();
  expect(stage().getByText('Not drawn: saturn.')).toBeTruthy();
});

test('a provider says nothing of the words, and nothing is offered for free', async () => {
  await setUp('text-to-image', ended({ redosLeft: 0 }), {
    'GET /api/v1/tools': json(served('text-to-image', { kind: 'provider' })),
    'GET /api/v1/scenes': json({ items: [] }),
  });
  await stage().findByRole('button', { name: 'Download Mockup' });
  expect(stage().queryByText(/Made:/)).toBeNull();
  expect(screen.queryByRole('toolbar')).toBeNull();
  expect(stage().queryByRole('button', { name: /free|back/ })).toBeNull();
});

test('the scenes beside the field: one stop for Tab, arrows move, picking writes the words', async () => {
  const view = await setUp('text-to-image', made(['wooden table']));
  const strip = within(await screen.findByRole('toolbar', { name: 'Scenes to pick' }));
  const picks = strip.getAllByRole('button');
  expect(picks.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
  act(() => picks[0]!.focus());
  await view.user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(picks[2]);
  await view.user.keyboard('{Home}{ArrowRight}{Enter}');
  expect(screen.getByRole('textbox', { name: 'Scene description' })).toHaveProperty('value', 'marble shelf');
  expect(picks[1]!.getAttribute('aria-pressed')).toBe('true');
});

test('all scenes stand in a dialog by groups; a search narrows them, and what was picked comes first next time', async () => {
  localStorage.clear();
  const view = await setUp('text-to-image', made(['wooden table']));
  await view.user.click(await screen.findByRole('button', { name: 'See all 3' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Scenes' }));
  expect(dialog.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Wood',
    'Stone',
    'Moods and more',
  ]);
  await view.user.type(dialog.getByLabelText('Search scenes'), 'stone');
  expect(dialog.queryByRole('button', { name: 'Wooden table' })).toBeNull();
  await view.user.click(dialog.getByRole('button', { name: 'Marble shelf' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('textbox', { name: 'Scene description' })).toHaveProperty('value', 'marble shelf');
  await view.user.click(screen.getByRole('button', { name: 'See all 3' }));
  expect(await screen.findByRole('heading', { level: 3, name: 'Last picked' })).toBeTruthy();
});

test('where scenes are offered as pictures nothing is offered in words besides', async () => {
  const [first = ''] = tools['text-to-image'].fields.prompt.suggestions;
  await setUp('text-to-image', makeGeneration({ status: 'canceled' }));
  await screen.findByRole('toolbar', { name: 'Scenes to pick' });
  expect(screen.queryByRole('button', { name: first })).toBeNull();
});

test('another version: a free try without a change; a refused one is said and what is left is read anew', async () => {
  const redo = recording(refuse('redo_not_possible'));
  const view = await setUp('text-to-image', made(['wooden table'], [], { redosLeft: 1 }), {
    'POST /api/v1/generations/gen_1/redo': redo.answer,
    'GET /api/v1/generations/gen_1': json(made(['wooden table'], [], { redosLeft: 0 })),
  });
  await view.user.click(await stage().findByRole('button', { name: /^Another version.*free, 1 left$/ }));
  expect(await screen.findByText('This result can no longer be redone for free.')).toBeTruthy();
  expect(redo.sent).toEqual(['{}']);
  await waitFor(() => expect(stage().queryByRole('button', { name: /Another version/ })).toBeNull());
});

test('a free try leaves one less for what it was made from, too', async () => {
  const next = made(['wooden table'], [], { id: 'gen_2', redoOf: 'gen_1', redosLeft: 1 });
  const view = await setUp('text-to-image', made(['wooden table'], [], { redosLeft: 2 }), {
    'POST /api/v1/generations/gen_1/redo': json(next, 202),
  });
  await view.user.click(await stage().findByRole('button', { name: /^Another version.*free, 2 left$/ }));
  const versions = within(await stage().findByRole('group', { name: 'Versions' }));
  await view.user.click(versions.getByRole('button', { name: 'Version 1' }));
  expect(await stage().findByRole('button', { name: /^Another version.*free, 1 left$/ })).toBeTruthy();
  expect(view.asked.filter((request) => request === 'GET /api/v1/tools')).toHaveLength(1);
});

test('where the stage stands above the form, a second try leads to it', async () => {
  const wide = window.matchMedia;
  const narrow = vi.spyOn(window, 'matchMedia');
  narrow.mockImplementation((query) => ({ ...wide(query), matches: query === STACKED }));
  const led = vi.spyOn(Element.prototype, 'scrollIntoView');
  const next = made(['wooden table'], [], { id: 'gen_2', redoOf: 'gen_1', redosLeft: 1 });
  const view = await setUp('text-to-image', made(['wooden table'], [], { redosLeft: 2 }), {
    'POST /api/v1/generations/gen_1/redo': json(next, 202),
  });
  await view.user.click(await stage().findByRole('button', { name: /^Another version/ }));
  expect(led.mock.contexts).toContain(screen.getByRole('region', { name: 'Result' }));
  narrow.mockRestore();
  led.mockRestore();
});

test('after a lost connection the same press keeps its key', async () => {
  const keys: unknown[] = [];
  const view = await setUp('text-to-image', made(['wooden table']), {
    'POST /api/v1/generations/gen_1/redo': (request) => {
      keys.push(request.headers['idempotency-key']);
      request.socket.destroy();
    },
  });
  const another = await stage().findByRole('button', { name: /^Another version/ });
  await view.user.click(another);
  await waitFor(() => expect(keys).toHaveLength(1));
  await waitFor(() => expect(another.getAttribute('aria-disabled')).not.toBe('true'));
  await view.user.click(another);
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
});

test('a return that is refused does not take the key from a try without an answer', async () => {
  const keys: unknown[] = [];
  const cutout = made(['wooden table']);
  const view = await setUp('text-to-image', cutout, {
    'POST /api/v1/generations/gen_1/redo': (request) => {
      keys.push(request.headers['idempotency-key']);
      request.socket.destroy();
    },
    'POST /api/v1/generations/gen_1/return': refuse('return_not_possible'),
    'GET /api/v1/generations/gen_1': json(cutout),
  });
  const another = await stage().findByRole('button', { name: /^Another version/ });
  const isFree = () => expect(another.getAttribute('aria-disabled')).not.toBe('true');
  await view.user.click(another);
  await waitFor(() => expect(keys).toHaveLength(1));
  await waitFor(isFree);
  await view.user.click(stage().getByRole('button', { name: /^Not usable/ }));
  await view.user.click(await screen.findByRole('menuitem', { name: 'Something else' }));
  await waitFor(() => expect(view.asked).toContain('POST /api/v1/generations/gen_1/return'));
  await waitFor(isFree);
  await view.user.click(another);
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
});

test('a free try that failed leads back to what was there before', async () => {
  const first = cutOut();
  const view = await setUp('remover', first);
  const failed = cutOut({
    id: 'gen_2',
    redoOf: 'gen_1',
    cost: 0,
    status: 'failed',
    result: null,
    error: { code: 'provider_rejected', message: 'The cut-out would be empty.' },
  });
  act(() => {
    putGeneration(failed);
    showGeneration(failed);
  });
  expect(await stage().findByText('It was free. What you had before is still there.')).toBeTruthy();
  expect(stage().queryByText(/returned/)).toBeNull();
  await view.user.click(stage().getByRole('button', { name: 'Back to it' }));
  expect(await stage().findByRole('button', { name: 'Download Result' })).toBeTruthy();
});

test('taken back: one tap says why, the credit is back, the result is gone', async () => {
  const returned = cutOut({ result: null, returned: true, refunded: true });
  const back = recording(json(returned));
  const view = await setUp('remover', cutOut(), { 'POST /api/v1/generations/gen_1/return': back.answer });
  act(() => {
    assignToast('gen_1', 'press');
    say.done('Background removed', { id: 'press' });
  });
  await screen.findByText('Background removed');
  await view.user.click(await stage().findByRole('button', { name: 'Not usable? Get the credit back' }));
  await screen.findByRole('menuitem', { name: 'Something else' });
  await view.user.click(screen.getByRole('menuitem', { name: 'The edges are wrong' }));
  expect(await stage().findByText('Result returned')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(stage().getByRole('heading', { name: 'Result returned' })));
  expect([back.sent, back.keys]).toEqual([['{"reason":"edges"}'], ['edges']]);
  expect(stage().getByText('1 credit returned.')).toBeTruthy();
  await waitFor(() => expect(readToasts()).toEqual([]));
  expect(stage().queryByRole('button', { name: 'Download Result' })).toBeNull();
  await waitFor(() =>
    expect(view.asked.filter((request) => request === 'GET /api/v1/tools').length).toBeGreaterThan(1),
  );
});

test.each<[ToolId, string[]]>([
  ['remover', ['The edges are wrong', 'Something else']],
  ['text-to-image', ['The edges are wrong', 'Not the scene I asked for', 'Something else']],
  ['dress-change', ['The edges are wrong', 'The person looks wrong', 'Something else']],
  ['image-to-video', ['The movement is wrong', 'Something else']],
])('%s: what is asked of a result that goes back is what can be wrong with it', async (tool, reasons) => {
  const view = await setUp(tool, ended({ tool }), { 'GET /api/v1/tools': json(served(tool)) });
  await view.user.click(await stage().findByRole('button', { name: /^Not usable/ }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(reasons);
});

test('a longer video gives back what it cost', async () => {
  await setUp('image-to-video', ended({ tool: 'image-to-video', cost: 12 }), {
    'GET /api/v1/tools': json(served('image-to-video')),
  });
  expect(await stage().findByRole('button', { name: 'Not usable? Get the 12 credits back' })).toBeTruthy();
});

test('of a free try the first generation is taken back, and with it all that was made from it', async () => {
  const returned = cutOut({ result: null, returned: true, refunded: true });
  const view = await setUp('remover', cutOut({ id: 'gen_2', redoOf: 'gen_1', cost: 0 }), {
    'POST /api/v1/generations/gen_1/return': json(returned),
  });
  act(() => {
    putGeneration(cutOut());
    for (const id of ['gen_1', 'gen_2']) {
      assignToast(id, `press of ${id}`);
      // Of a kind that does not go by itself.
      say.working('Background removed', `press of ${id}`);
    }
  });
  await waitFor(() => expect(readToasts()).toEqual(['Background removed', 'Background removed']));
  await view.user.click(await stage().findByRole('button', { name: 'Not usable? Get the credit back' }));
  await view.user.click(await screen.findByRole('menuitem', { name: 'Something else' }));
  expect(await stage().findByText('Result returned')).toBeTruthy();
  await waitFor(() => expect(readToasts()).toEqual([]));
});

test('what was typed for the try that is returned stays in the form', async () => {
  const typed = { prompt: 'stone block' };
  const returned = ended({ result: null, returned: true, refunded: true });
  const view = await setUp('text-to-image', made(['stone block'], [], { id: 'gen_2', redoOf: 'gen_1', cost: 0 }), {
    'POST /api/v1/generations/gen_1/return': json(returned),
  });
  act(() => {
    rememberForm('gen_1', { prompt: 'wooden table' });
    rememberForm('gen_2', typed);
    changeDraft('text-to-image', () => typed);
  });
  await view.user.click(await stage().findByRole('button', { name: /^Not usable/ }));
  await screen.findByText('What is wrong? The result and all its free versions are deleted.');
  await view.user.click(await screen.findByRole('menuitem', { name: 'Something else' }));
  expect(await stage().findByText('Result returned')).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Scene description/ }).value).toBe('stone block');
});

const tooOld = new Date(Date.now() - SECOND_TRY_SECONDS * 1000 - 60_000).toISOString();

test('what became too old while the page was open is neither tried again nor returned', async () => {
  await setUp('text-to-image', made(['wooden table'], [], { finishedAt: tooOld }));
  await stage().findByRole('button', { name: 'Download Mockup' });
  expect(stage().queryByRole('button', { name: /free|back/ })).toBeNull();
});

test('a free try whose first generation is too old to be returned does not offer it', async () => {
  await setUp('remover', cutOut({ id: 'gen_2', redoOf: 'gen_1', cost: 0 }));
  const back = await stage().findByRole('button', { name: /^Not usable/ });
  act(() => putGeneration(cutOut({ finishedAt: tooOld })));
  await waitFor(() => expect(back.isConnected).toBe(false));
});

test('what can no longer be returned says so kindly', async () => {
  const view = await setUp('remover', cutOut(), {
    'POST /api/v1/generations/gen_1/return': refuse('return_not_possible'),
    'GET /api/v1/generations/gen_1': json(cutOut()),
  });
  await view.user.click(await stage().findByRole('button', { name: /^Not usable/ }));
  await view.user.click(await screen.findByRole('menuitem', { name: 'The edges are wrong' }));
  expect(await screen.findByText('This result can no longer be returned.')).toBeTruthy();
  expect(stage().getByRole('button', { name: 'Download Result' })).toBeTruthy();
});

test.each([
  ['no returns are left', {}, { returnsLeft: 0 }],
  ['it is older than a day', { finishedAt: new Date(Date.now() - 25 * 3_600_000).toISOString() }, {}],
  ['a provider made it', {}, { kind: 'provider' }],
])('no credit is offered back when %s', async (_when, part, list) => {
  await setUp('remover', cutOut(part), { 'GET /api/v1/tools': json(served('remover', list)) });
  await stage().findByRole('button', { name: /Use this cut-out in/ });
  expect(stage().queryByRole('button', { name: /^Not usable/ })).toBeNull();
});

test('a cut-out goes on to the tools that take one product, by its id', async () => {
  const view = await setUp('remover', cutOut());
  await view.user.click(await stage().findByRole('button', { name: 'Use this cut-out in…' }));
  const items = await screen.findAllByRole('menuitem');
  const names = items.map(({ textContent }) => textContent);
  expect(names).toEqual(
    expect.arrayContaining(['Background Customization', 'Basic Image to Video', 'Product Video Generate']),
  );
  // What makes it again, needs a second picture, or wants a face.
  for (const name of ['Remover Background', 'Dress Changer', 'Headshot Generator']) expect(names).not.toContain(name);
  await view.user.click(items[0]!);
  await waitFor(() => expect(view.router.state.location.href).toBe('/dashboard/text-to-image?photo=med_1'));
});

test('a handed photo stands in the form by its preview and is sent by its id', async () => {
  const sent = vi.spyOn(FormData.prototype, 'append');
  const view = await setUp('text-to-image', made(['wooden table']), {
    'GET /api/v1/media/med_1/preview': (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/webp' });
      response.end('a picture');
    },
    'POST /api/v1/tools/text-to-image/generations': json(makeGeneration({ id: 'gen_2' }), 202),
  });
  await act(() => view.router.navigate({ to: '.', search: { photo: 'med_1' } }));
  expect(await screen.findByText('from your history')).toBeTruthy();
  await view.user.type(screen.getByRole('textbox', { name: 'Scene description' }), 'on sand');
  await view.user.click(screen.getByRole('button', { name: /^Generate, ?1 credit$/ }));
  await waitFor(() => expect(view.asked).toContain('POST /api/v1/tools/text-to-image/generations'));
  expect(sent.mock.calls).toContainEqual(['image', 'med_1']);
  sent.mockRestore();
});

test.each([
  ['is deleted', refuse('not_found'), 'This picture is no longer there.'],
  ['cannot be read just now', hangUp, 'No answer from the server. Please check your connection and try again.'],
])('a handed photo that %s is called that', async (_, answer, sentence) => {
  const view = await setUp('text-to-image', made(['wooden table']), { 'GET /api/v1/media/med_1/preview': answer });
  await act(() => view.router.navigate({ to: '.', search: { photo: 'med_1' } }));
  await waitFor(() => expect(readToasts()).toEqual([sentence]));
});

test('refused for want of a product: it can be shown, elsewhere the photo can only be tried again', async () => {
  const refused = (tool: ToolId, part: Partial<Generation> = {}) =>
    makeGeneration({
      tool,
      status: 'failed',
      refunded: true,
      error: { code: 'provider_rejected', message: 'We could not tell the product from its background.' },
      ...part,
    });
  const view = await setUp('remover', makeGeneration({ tool: 'remover', status: 'canceled' }), {
    'POST /api/v1/tools/remover/generations': json(refused('remover', { id: 'gen_2' }), 202),
  });
  await view.user.upload(screen.getByLabelText(/^Image/), pictureFile());
  await view.user.click(screen.getByRole('button', { name: /^Remove Background/ }));
  expect(await stage().findByRole('button', { name: 'Show us the product' })).toBeTruthy();
  const failedOtherwise = refused('remover', { id: 'gen_2', error: { code: 'provider_failed', message: 'x' } });
  act(() => putGeneration(failedOtherwise));
  await waitFor(() => expect(stage().queryByRole('button', { name: 'Show us the product' })).toBeNull());
  expect(stage().getByRole('button', { name: /^Try again.*1 credit$/ })).toBeTruthy();
});

test('a cut-out without its photo in this browser, or without tries, cannot be painted on', async () => {
  await setUp('remover', cutOut({ redosLeft: 0 }));
  await stage().findByRole('button', { name: 'Use this cut-out in…' });
  expect(stage().queryByRole('button', { name: /^Fix it/ })).toBeNull();
});

test('a cut-out whose photo is here can be fixed', async () => {
  await setUp('remover', cutOut({ redosLeft: 2 }));
  expect(await stage().findByRole('button', { name: /^Fix it$/ })).toBeTruthy();
});

/** What the large view of the history offers for a photo of a catalogue. */
async function setUpViewed(answers: Answers) {
  const item = cutOut({ runId: 'run_1' });
  const { origin } = await startServer({
    'GET /api/v1/tools': json(served('remover')),
    'GET /api/v1/generations/gen_1': json(item),
    ...answers,
  });
  renderScreen(<ViewedActions media={makeMedia({ tool: 'remover', input: null })} />, { origin });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Not usable/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Something else' }));
}

test('what is returned in the large view stands as returned on the stage that follows, of a catalogue too', async () => {
  const returned = cutOut({ runId: 'run_1', result: null, returned: true, refunded: true });
  await setUpViewed({ 'POST /api/v1/generations/gen_1/return': json(returned) });
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(findShown('remover')).toMatchObject({ id: 'gen_1', returned: true });
});

test('what the large view can no longer return it offers no more', async () => {
  const late = { ...cutOut({ runId: 'run_1' }), finishedAt: tooOld, redosLeft: 0 };
  await setUpViewed({
    'GET /api/v1/generations/gen_1': inTurn(json(cutOut({ runId: 'run_1' })), json(late)),
    'POST /api/v1/generations/gen_1/return': refuse('return_not_possible'),
  });
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Not usable/ })).toBeNull());
  expect(readFollowed(), 'no news').toEqual([]);
});

test('a product that is set down where it stands is not paid again, elsewhere it is', async () => {
  const standing = { x: 0.5, y: 0.8, scale: 1, rotate: 0 };
  function Places() {
    const { place } = useTool('text-to-image', useRef(null));
    const at = (x: number) => place && <button onClick={() => place({ ...standing, x })}>{x}</button>;
    return [at(0.5), at(0.6)].map((button, key) => <p key={key}>{button}</p>);
  }
  const [tool] = served('text-to-image').items;
  const fields = [{ name: 'placement', type: 'placement', required: false }];
  const submit = 'POST /api/v1/tools/text-to-image/generations';
  const { origin, asked } = await startServer({
    'GET /api/v1/generations': json(nothing),
    'GET /api/v1/tools': json({ items: [{ ...tool, fields }] }),
    [submit]: json(makeGeneration({ id: 'gen_2' }), 202),
  });
  const placement = JSON.stringify(standing);
  const image = { file: pictureFile(), width: 8, height: 8 };
  changeDraft('text-to-image', () => ({ image, prompt: 'oak', placement }));
  rememberForm('gen_1', { image: '/vase.jpg/2048', prompt: 'oak', placement });
  putGeneration(ended({ redosLeft: 0 }));
  showGeneration(ended());
  renderScreen(<Places />, { origin });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: '0.5' }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).not.toContain(submit);
  await user.click(screen.getByRole('button', { name: '0.6' }));
  await waitFor(() => expect(asked).toContain(submit));
});
