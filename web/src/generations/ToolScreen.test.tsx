// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { makeGeneration, makeMedia, makeResult, makeSession } from '../../test/makers.ts';
import { clearBrowser, pictureFile, renderScreen } from '../../test/screen.tsx';
import { json, read, refuse, startServer, type Answers } from '../../test/server.ts';
import { useCredits } from '../credits/useCredits.ts';
import { withStore } from '../platform/storage/database.ts';
import { ToolScreen } from './ToolScreen.tsx';
import { useMemory, type Stage } from './memory.ts';
import { putGeneration } from './followed.ts';

const SUBMIT = 'POST /api/v1/tools/text-to-image/generations';
const nothing = { items: [], nextCursor: null };
const { says, fields } = tools['text-to-image'];

function Balance() {
  return <output>{useCredits()}</output>;
}

beforeEach(clearBrowser);

/** What an earlier page kept of a piece. */
const keep = (piece: string, value: object) =>
  withStore('readwrite', (store) =>
    store.put({ key: `${makeSession().user.id} tools ${piece}`, at: Date.now(), value }),
  );
const keepStage = (stage: Partial<Stage>) =>
  keep('stages/text-to-image', { shown: null, row: [], readFailureId: null, attempt: null, ...stage });

async function setUp(answers: Answers = {}, credits = '12') {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/generations': json(nothing),
    'GET /api/v1/media': json({ items: [makeMedia()], nextCursor: null }),
    'GET /api/v1/media/med_1': json(makeMedia()),
    'GET /api/v1/tools': json(nothing),
    ...answers,
  });
  const user = userEvent.setup({ applyAccept: false });
  const view = renderScreen(
    <>
      <ToolScreen toolId="text-to-image" />
      <Balance />
    </>,
    { origin },
  );
  const input = await screen.findByLabelText(/Product image/);
  await waitFor(() => expect(balance()).toBe(credits));
  return { ...view, asked, user, input };
}

const balance = () => screen.getByText(/^\d+$/, { selector: 'output' }).textContent;
const button = () => screen.getByRole('button', { name: /^Generat.*1 credit$/ });
const stage = () => within(screen.getByRole('region', { name: 'Result' }));
/** What a screen reader is told. */
const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
const errorBoxes = () => [...document.querySelectorAll('.error')].map((box) => box.textContent);

const servedBy = { kind: 'built-in', name: 'Built-in engine' };
const entry = { id: 'text-to-image', ...tools['text-to-image'], servedBy, returnable: true, fields: [] };
const builtIn = json({ items: [entry], returnsLeft: 2 });

async function fillIn({ user, input }: Awaited<ReturnType<typeof setUp>>) {
  await user.upload(input, pictureFile());
  await screen.findByText('vase.jpg');
  await user.type(screen.getByLabelText(/Scene description/), 'on a stone block');
}

test('idle: the button is disabled, says why, and the stage counts what is missing', async () => {
  const { user, input, asked } = await setUp();
  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(stage().getByText(says.empty)).toBeTruthy();
  await user.upload(input, pictureFile());
  expect(await stage().findByText('One sentence to go')).toBeTruthy();
  await user.type(screen.getByLabelText(/Scene description/), '   ');
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await user.click(button());
  expect(asked.some((request) => request.startsWith('POST'))).toBe(false);
});

test('a file dialog that was open while another picture appeared still gives its file', async () => {
  const { user, input } = await setUp();
  await user.upload(input, pictureFile());
  await screen.findByText('vase.jpg');
  await user.upload(input, pictureFile('bowl.jpg'));
  expect(await screen.findByText('bowl.jpg')).toBeTruthy();
});

test('what is typed stands there at once, so that fast fingers lose nothing and the caret stays', async () => {
  const { input } = await setUp();
  expect(input).toBeTruthy();
  const area = screen.getByLabelText<HTMLTextAreaElement>(/Scene description/);
  area.focus();
  for (const text of ['o', 'on', 'on a']) {
    fireEvent.input(area, { target: { value: text } });
    expect(area.value).toBe(text);
  }
  area.setSelectionRange(2, 2);
  area.setRangeText('e', 2, 2, 'end');
  fireEvent.input(area);
  expect([area.value, area.selectionStart]).toEqual(['one a', 3]);
});

test('a file of a wrong type is refused under its field, and the picture before it stays', async () => {
  const { user, input } = await setUp();
  await user.upload(input, pictureFile('vase.jpg'));
  await screen.findByText('vase.jpg');
  await user.upload(screen.getByLabelText(/Product image/), pictureFile('notes.pdf', 'application/pdf'));
  await waitFor(() => expect(errorBoxes()).toEqual([fields.image.wrongType]));
  expect(screen.getByText('vase.jpg')).toBeTruthy();
  await user.upload(screen.getByLabelText(/Product image/), pictureFile('cup.jpg'));
  await screen.findByText('cup.jpg');
  expect(errorBoxes()).toEqual([]);
  await waitFor(() => expect(screen.queryByText(fields.image.wrongType)).toBe(null), { timeout: 1500 });
});

test('checking, running, succeeded: fields locked, balance lowered at once, result with its download', async () => {
  let accept = () => {};
  const view = await setUp({
    [SUBMIT]: (request, response) => {
      accept = () => void json(makeGeneration(), 202)(request, response);
    },
  });
  await fillIn(view);
  await view.user.click(button());
  expect(await stage().findByText('Checking credits...')).toBeTruthy();
  expect(said()).toContain('Checking credits...');
  expect(button().textContent).toContain('Generating...');
  expect(balance()).toBe('11');
  expect(screen.getByLabelText(/Scene description/)).toHaveProperty('readOnly', true);
  await waitFor(() => expect(view.asked).toContain('POST /api/v1/tools/text-to-image/generations'));
  accept();
  expect(await stage().findByText('Generating product mockup...')).toBeTruthy();
  expect(said()).toContain('Generating product mockup...');
  expect(stage().getByRole('button', { name: 'Start another' })).toBeTruthy();
  putGeneration(makeGeneration({ status: 'succeeded', result: makeResult() }));
  expect(await stage().findByRole('button', { name: says.download })).toBeTruthy();
  const facts = await stage().findByText('1024 × 1024, 471 KB');
  expect(facts.title, 'the name of the file is at hand').toBe('product-shot-1772600000000.png');
  expect(stage().queryByText('Background Customization'), 'the heading says it').toBe(null);
  expect(button().textContent).toContain(says.again);
  // It is "again" for the pictures that the result was made from.
  await view.user.upload(screen.getByLabelText(/Product image/), pictureFile('cup.jpg'));
  await waitFor(() => expect(button().textContent).not.toContain(says.again));
  expect(stage().getByRole('button', { name: says.download })).toBeTruthy();
});

test('other words of the same photo are a free try from the form as well, as long as there are some', async () => {
  const redos: unknown[] = [];
  const answering = Promise.withResolvers<void>();
  const first = makeGeneration({
    status: 'succeeded',
    redosLeft: 3,
    finishedAt: new Date().toISOString(),
    result: { ...makeResult(), understood: ['stone block'], notDrawn: [] },
  });
  const view = await setUp({
    [SUBMIT]: json(makeGeneration(), 202),
    'GET /api/v1/tools': builtIn,
    'POST /api/v1/generations/gen_1/redo': async (request, response) => {
      redos.push(JSON.parse(await read(request)));
      await answering.promise;
      await json(makeGeneration({ id: 'gen_2', redoOf: 'gen_1', cost: 0 }), 202)(request, response);
    },
  });
  await fillIn(view);
  await view.user.click(button());
  await waitFor(() => expect(view.asked).toContain(SUBMIT));
  putGeneration(first);
  const free = () => screen.findByRole('button', { name: /^Make again.*free, 3 left$/ });
  expect(await free()).toBeTruthy();
  await view.user.type(screen.getByLabelText(/Scene description/), ', at night');
  await view.user.click(await free());
  await waitFor(() => expect(redos).toEqual([{ prompt: 'on a stone block, at night' }]));
  expect(screen.getByRole('button', { name: /^Generating/ }).textContent).toMatch(/free, 3 left$/);
  answering.resolve();
  expect(view.asked.filter((request) => request === SUBMIT)).toHaveLength(1);
  // Another photo is another picture.
  expect(await stage().findByText('Generating product mockup...')).toBeTruthy();
  putGeneration(makeGeneration({ ...first, id: 'gen_2', redoOf: 'gen_1' }));
  expect(await stage().findByRole('button', { name: says.download })).toBeTruthy();
  await view.user.upload(screen.getByLabelText(/Product image/), pictureFile('cup.jpg'));
  await waitFor(() => expect(button().textContent).toContain('1 credit'));
});

test('a double click is one generation, also when the second click comes before React drew the first', async () => {
  let accept = () => {};
  const view = await setUp({
    [SUBMIT]: (request, response) => {
      accept = () => void json(makeGeneration(), 202)(request, response);
    },
  });
  await fillIn(view);
  const press = button();
  act(() => {
    press.click();
    press.click();
  });
  await waitFor(() => expect(view.asked).toContain(SUBMIT));
  expect(balance()).toBe('11');
  act(() => {
    accept();
    press.click();
  });
  expect(await stage().findByText('Generating product mockup...')).toBeTruthy();
  expect(view.asked.filter((request) => request === SUBMIT)).toEqual([SUBMIT]);
});

test('refused for credits: the sentence stays in the box, the balance is back, the form is open', async () => {
  const view = await setUp({ [SUBMIT]: refuse('insufficient_credits') });
  await fillIn(view);
  await view.user.click(button());
  await waitFor(() => expect(errorBoxes()).toEqual([`${says.poor}Get credits`]));
  await waitFor(() => expect(balance()).toBe('12'));
  expect(button().getAttribute('aria-disabled')).not.toBe('true');
  // In the box and in the toast.
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Get credits' })).toHaveLength(2));
  await view.user.type(screen.getByLabelText(/Scene description/), '!');
  expect(errorBoxes()).toEqual([]);
});

test('without a session nothing is said here: whoever asks for a name is the sign-in', async () => {
  const view = await setUp({
    [SUBMIT]: refuse('authentication_required'),
    'POST /api/v1/auth/refresh': refuse('no_active_session'),
  });
  await fillIn(view);
  await view.user.click(button());
  await waitFor(() => expect(view.asked).toContain('POST /api/v1/auth/refresh'));
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'));
  expect(screen.queryByText('No active session')).toBeNull();
  expect(errorBoxes()).toEqual([]);
});

test('refused for a field: the field is marked, described and focused', async () => {
  const detail = 'Please provide a scene description';
  const view = await setUp({
    [SUBMIT]: refuse('prompt_required', [{ field: 'prompt', code: 'prompt_required', detail }]),
  });
  await fillIn(view);
  await view.user.click(button());
  const scene = screen.getByLabelText(/Scene description/);
  await waitFor(() => expect(scene.getAttribute('aria-invalid')).toBe('true'));
  expect(document.getElementById(scene.getAttribute('aria-describedby') ?? '')?.textContent).toBe(detail);
  await waitFor(() => expect(document.activeElement).toBe(scene));
});

test('failed: the sentence, the returned credit, and a way to try again; the form is still filled', async () => {
  const view = await setUp({ [SUBMIT]: json(makeGeneration(), 202) });
  await fillIn(view);
  await view.user.click(button());
  await stage().findByText('Generating product mockup...');
  putGeneration(
    makeGeneration({ status: 'failed', refunded: true, error: { code: 'provider_failed', message: says.failed } }),
  );
  expect(await stage().findByText('No picture this time')).toBeTruthy();
  expect(stage().getByText('1 credit returned.')).toBeTruthy();
  expect(errorBoxes()).toEqual([says.failed]);
  expect(screen.getByLabelText(/Scene description/)).toHaveProperty('value', 'on a stone block');
  await view.user.click(stage().getByRole('button', { name: /^Try again.*1 credit$/ }));
  await waitFor(() => expect(view.asked.filter((request) => request.startsWith('POST'))).toHaveLength(2));
});

test('failed after a reload: the form is empty, so nothing says that it is still here', async () => {
  const running = makeGeneration();
  const view = await setUp({
    'GET /api/v1/generations': json({ items: [running], nextCursor: null }),
  });
  await stage().findByText('Generating product mockup...');
  putGeneration(
    makeGeneration({ status: 'failed', refunded: true, error: { code: 'provider_failed', message: says.failed } }),
  );
  expect(await stage().findByText('Fill in the form once more to try again.')).toBeTruthy();
  expect(stage().queryByText(/still here/)).toBe(null);
  expect(stage().queryByRole('button', { name: /Try again/ })).toBe(null);
  await fillIn(view);
  expect(stage().getByRole('button', { name: /^Try again.*1 credit$/ })).toBeTruthy();
});

test('a photo that comes while it still runs takes nothing from the failure that follows', async () => {
  const view = await setUp({
    [SUBMIT]: json(makeGeneration(), 202),
    'GET /api/v1/media/med_1': json(makeMedia()),
    'GET /api/v1/media/med_1/preview': (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/webp' });
      response.end('a picture');
    },
  });
  await fillIn(view);
  await view.user.click(button());
  await stage().findByText('Generating product mockup...');
  await act(() => view.router.navigate({ to: '.', search: { photo: 'med_1' } }));
  await screen.findByText('product-shot-1772600000000.png');
  const error = { code: 'provider_failed', message: says.failed } as const;
  putGeneration(makeGeneration({ status: 'failed', refunded: true, error }));
  await waitFor(() => expect(errorBoxes()).toEqual([says.failed]));
});

const theFocus = () => document.activeElement;
const imageInput = () => screen.getByLabelText(/Product image/);

test('the focus stays in the field whose picture comes or goes', async () => {
  const { user, input } = await setUp();
  await user.upload(input, pictureFile());
  await screen.findByText('vase.jpg');
  await waitFor(() => expect(theFocus()).toBe(imageInput()));
  await user.click(screen.getByRole('button', { name: 'Remove vase.jpg' }));
  await waitFor(() => expect(theFocus()).toBe(imageInput()));
  expect(screen.queryByText('vase.jpg')).toBe(null);
});

test('the focus goes from the stage to the form with Start another', async () => {
  const view = await setUp({ [SUBMIT]: json(makeGeneration(), 202) });
  await fillIn(view);
  await view.user.click(button());
  await view.user.click(await stage().findByRole('button', { name: 'Start another' }));
  expect(await stage().findByText(/will stand here|to go/)).toBeTruthy();
  await waitFor(() => expect(theFocus()).toBe(imageInput()));
});

test('the result takes the focus over from a button that goes', async () => {
  const view = await setUp({ [SUBMIT]: json(makeGeneration(), 202) });
  await fillIn(view);
  await view.user.click(button());
  (await stage().findByRole('button', { name: 'Start another' })).focus();
  putGeneration(makeGeneration({ status: 'succeeded', result: makeResult() }));
  await stage().findByRole('button', { name: says.download });
  await waitFor(() => expect(theFocus()).toBe(screen.getByRole('region', { name: 'Result' })));
});

test('Ctrl Enter generates wherever the focus is, except below an open dialog or on a link', async () => {
  const view = await setUp({ [SUBMIT]: json(makeGeneration(), 202) });
  await fillIn(view);
  const press = () => view.user.keyboard('{Control>}{Enter}{/Control}');
  const link = document.body.appendChild(document.createElement('a'));
  link.href = '#elsewhere';
  link.focus();
  await press();
  link.remove();
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.role = 'dialog';
  await press();
  dialog.remove();
  expect(view.asked).not.toContain(SUBMIT);
  expect(theFocus()).toBe(document.body);
  await press();
  await waitFor(() => expect(view.asked).toContain(SUBMIT));
});

test('canceled while it waits: no question is asked, the credit is returned', async () => {
  const canceled = makeGeneration({ status: 'canceled', cancelRequested: true, refunded: true });
  const view = await setUp({
    [SUBMIT]: json(makeGeneration(), 202),
    'POST /api/v1/generations/gen_1/cancel': json(canceled),
  });
  await fillIn(view);
  await view.user.click(button());
  await view.user.click(await stage().findByRole('button', { name: 'Cancel' }));
  expect(await stage().findByText('Canceled. 1 credit returned.')).toBeTruthy();
});

test('start another: the running one is left to itself, photo and words stay, and the same is not sold twice', async () => {
  const view = await setUp({ [SUBMIT]: json(makeGeneration(), 202), 'GET /api/v1/tools': builtIn });
  await fillIn(view);
  await view.user.click(button());
  await view.user.click(await stage().findByRole('button', { name: 'Start another' }));
  for (const text of [says.empty, 'vase.jpg', /^As it is, this gives the same result again/])
    expect(await screen.findByText(text)).toBeTruthy();
  const words = screen.getByLabelText(/Scene description/);
  expect(words).toMatchObject({ value: 'on a stone block', readOnly: false });
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await view.user.type(words, ', at night');
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'));
});

test('reloaded meanwhile: the screen finds its running generation, with its photo', async () => {
  await setUp({
    'GET /api/v1/generations/gen_1/before': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'image/webp' }).end('photo'),
    'GET /api/v1/generations': (request, response) => {
      const isRunning = request.url?.includes('status=running') === true;
      return json({ items: isRunning ? [makeGeneration({ status: 'running' })] : [], nextCursor: null })(
        request,
        response,
      );
    },
  });
  expect(await stage().findByText('Generating product mockup...')).toBeTruthy();
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(document.querySelector('.under-pic img')).toBeTruthy());
});

test('after a broken line the same form is sent again with the same key', async () => {
  const keys: unknown[] = [];
  const view = await setUp({
    [SUBMIT]: (request) => {
      keys.push(request.headers['idempotency-key']);
      request.socket.destroy();
    },
  });
  await fillIn(view);
  await view.user.click(button());
  await waitFor(() => expect(errorBoxes()).toHaveLength(1));
  await view.user.click(button());
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('without credits the button keeps its word; the refusal leads to them, with the form kept', async () => {
  const view = await setUp(
    { 'GET /api/v1/credits': json({ credits: 0 }), [SUBMIT]: refuse('insufficient_credits') },
    '0',
  );
  await fillIn(view);
  await view.user.click(button());
  await waitFor(() => expect(errorBoxes()).toEqual([`${says.poor}Get credits`]));
  await view.user.click(screen.getAllByRole('link', { name: 'Get credits' })[0]!);
  await waitFor(() => expect(view.router.state.location.pathname).toBe('/dashboard/credits'));
  expect(useMemory.getState().unfinished).toBe('text-to-image');
});

test('what stood on the stage stands there again after a reload, with what was made beside it', async () => {
  await keepStage({ shown: 'gen_2', row: ['gen_1', 'gen_2', 'gen_gone'] });
  const done = (id: string) => makeGeneration({ id, status: 'succeeded', result: makeResult() });
  const view = await setUp({
    'GET /api/v1/generations/gen_1': json(done('gen_1')),
    'GET /api/v1/generations/gen_2': json(done('gen_2')),
  });
  expect(await stage().findByRole('button', { name: says.download })).toBeTruthy();
  const versions = await stage().findByRole('group', { name: 'Versions' });
  expect(within(versions).getByRole('button', { pressed: true }).getAttribute('aria-label')).toBe('Version 2');
  await view.user.click(within(versions).getByRole('button', { name: 'Version 1' }));
  expect(within(stage().getByRole('group', { name: 'Versions' })).getByRole('button', { pressed: true })).toBe(
    within(stage().getByRole('group', { name: 'Versions' })).getByRole('button', { name: 'Version 1' }),
  );
});

const error = { code: 'provider_rejected', message: 'No product was found.' } as const;
const refused = makeGeneration({ status: 'failed', refunded: true, error });

test('a refused photo is not offered again: another one is asked for', async () => {
  const view = await setUp({ [SUBMIT]: json(makeGeneration(), 202), 'GET /api/v1/generations/gen_1': json(refused) });
  await fillIn(view);
  await view.user.click(button());
  await stage().findByText('Generating product mockup...');
  act(() => putGeneration(refused));
  expect(await stage().findByRole('button', { name: 'Choose another photo' })).toBeTruthy();
  expect(document.querySelector('.photo-well')?.className).toContain('is-refused');
  expect(stage().queryByRole('button', { name: /Try again/ })).toBe(null);
  expect(screen.getByText('As it is, this would be refused again.')).toBeTruthy();
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await view.user.upload(screen.getByLabelText(/Product image/), pictureFile('cup.jpg'));
  await waitFor(() => expect(button().getAttribute('aria-disabled')).not.toBe('true'));
  // What became of one photo says nothing of the next.
  expect(document.querySelector('.photo-well')?.className).toContain('ready');
  expect(stage().getByText(says.empty)).toBeTruthy();
  expect(screen.queryByText('No picture this time')).toBe(null);
  expect(screen.queryByRole('button', { name: 'Choose another photo' })).toBe(null);
  await view.user.upload(screen.getByLabelText(/Product image/), pictureFile());
  expect(await stage().findByRole('button', { name: 'Choose another photo' })).toBeTruthy();
  await view.user.click(screen.getByRole('button', { name: 'Remove vase.jpg' }));
  expect(await stage().findByText('One image to go')).toBeTruthy();
  expect(screen.queryByText('No picture this time')).toBe(null);
});

const keepRefused = async (readFailureId: string | null) => {
  await keep('made/gen_1', { image: `/vase.jpg/${pictureFile().size}`, prompt: 'on a stone block' });
  await keepStage({ shown: 'gen_1', row: ['gen_1'], readFailureId });
};

test('after a reload a refusal stands by the photo that was refused, and by no other', async () => {
  await keepRefused(null);
  const view = await setUp({ 'GET /api/v1/generations/gen_1': json(refused) });
  expect(await stage().findByText('Fill in the form once more to try again.')).toBeTruthy();
  await view.user.upload(view.input, pictureFile('cup.jpg'));
  expect(await stage().findByText('One sentence to go')).toBeTruthy();
  expect(errorBoxes()).toEqual([]);
  expect(screen.queryByText('1 credit returned.')).toBe(null);
});

test('after a reload what was returned is not offered again for a credit', async () => {
  await keepRefused(null);
  const returned = makeGeneration({ status: 'succeeded', result: null, returned: true, refunded: true });
  const view = await setUp({ 'GET /api/v1/generations/gen_1': json(returned), 'GET /api/v1/tools': builtIn });
  await fillIn(view);
  expect(await screen.findByText(/^As it is, this gives the result that you returned/)).toBeTruthy();
});

test('a refusal that was read is read after a reload, too', async () => {
  await keepRefused('gen_1');
  const view = await setUp({ 'GET /api/v1/generations/gen_1': json(refused) });
  await fillIn(view);
  expect(await stage().findByRole('button', { name: 'Choose another photo' })).toBeTruthy();
  expect(errorBoxes()).toEqual([]);
});
