// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeGeneration } from '../../test/makers.ts';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { inTurn, json, refuse, startServer, type Answer, type Answers } from '../../test/server.ts';
import { tools, type ToolId } from '@plinth/contract/tools';
import { LOOK_WAIT_MS } from './subject.ts';
import { ToolScreen } from './ToolScreen.tsx';

const BOX = [0.2, 0.1, 0.8, 0.9];
const OUTLINE = [
  [0.2, 0.1],
  [0.8, 0.1],
  [0.5, 0.9],
];
const subject = (sure: boolean, box: number[] | null = BOX) => json({ sure, box, outline: box && OUTLINE });
const SUBJECT = 'POST /api/v1/subject';

beforeEach(() => localStorage.clear());

function served(toolId: ToolId, marks: string[]) {
  const { name, cost, mediaType } = tools[toolId];
  const fields = marks.map((field) => ({ name: field, type: 'marks', required: false }));
  const servedBy = { kind: 'built-in', name: 'Built-in engine' };
  return { items: [{ id: toolId, name, cost, mediaType, servedBy, returnable: true, fields }], returnsLeft: 2 };
}

async function setUp(answer: Answer, toolId: ToolId = 'remover', marks = ['marks'], answers: Answers = {}) {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 9 }),
    'GET /api/v1/generations': json({ items: [], nextCursor: null }),
    'GET /api/v1/scenes': json({ items: [] }),
    'GET /api/v1/tools': json(served(toolId, marks)),
    [SUBJECT]: answer,
    [`POST /api/v1/tools/${toolId}/generations`]: json(makeGeneration({ tool: toolId }), 202),
    ...answers,
  });
  const user = userEvent.setup();
  const view = renderScreen(<ToolScreen toolId={toolId} />, { origin });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(asked).toContain('GET /api/v1/tools'));
  return { ...view, asked, user };
}

const well = () => screen.getByLabelText(/^Image|^Product image/);
const asks = (asked: string[]) => asked.filter((request) => request === SUBJECT).length;
const button = () => screen.getByRole('button', { name: /^Remove Background.*1 credit$/ });

test('what is sure is not asked; it can be changed all the same', async () => {
  const { user, asked } = await setUp(subject(true));
  await user.upload(well(), pictureFile());
  await waitFor(() => expect(document.querySelector('svg.outline')).toBeTruthy());
  expect(screen.queryByText(/Is this it/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Show us the product' })).toBeTruthy();
  expect(asks(asked)).toBe(1);
});

test('a photo that the server cannot read is refused at once', async () => {
  const detail = 'Failed to load image. Please try another file.';
  const { user } = await setUp(refuse('image_unreadable', [{ field: 'image', code: 'image_unreadable', detail }]));
  await user.upload(well(), pictureFile());
  await waitFor(() => expect(document.querySelector('form .error')?.textContent).toBe(detail));
  expect(document.querySelector('.drop-well')?.className).toContain('is-refused');
  expect(button().ariaDisabled).toBe('true');
});

test('what is doubtful is shown with its outline and asked; one tap says yes, and the form is sent with its box', async () => {
  const sent = vi.spyOn(FormData.prototype, 'append');
  const { user, asked } = await setUp(subject(false));
  await user.upload(well(), pictureFile());
  expect(await screen.findByText('Is this it?')).toBeTruthy();
  expect(screen.getByText('Is this it?').closest('[role=status]')).toBeTruthy();
  expect(document.querySelector('svg.outline.asked')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Show us the product' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  expect(screen.queryByText('Is this it?')).toBeNull();
  expect(screen.getByText('Cut out as outlined.'), 'nothing was shown').toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show us the product' }));
  await user.click(button());
  await waitFor(() => expect(asked).toContain('POST /api/v1/tools/remover/generations'));
  expect(sent.mock.calls).toContainEqual(['marks', JSON.stringify({ box: BOX })]);
  sent.mockRestore();
  // The answer is known: nobody asks the server again.
  expect(asks(asked)).toBe(1);
});

test('while it is asked nothing is sent that would only be refused and paid back', async () => {
  const { user, asked } = await setUp(subject(false));
  await user.upload(well(), pictureFile());
  await screen.findByText('Is this it?');
  expect(screen.getByText('Say first what your product is.')).toBeTruthy();
  const yes = screen.getByRole('button', { name: 'Yes' });
  await user.click(button());
  expect(document.activeElement, 'the press leads to the question').toBe(yes);
  yes.blur();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(document.activeElement).toBe(yes);
  expect(asked).not.toContain('POST /api/v1/tools/remover/generations');
});

/** The step on the stage, which is announced elsewhere. */
const LOOKING = ['Looking for your product', { selector: '.steps *' }] as const;

/** The answer about the product, given when the test calls for it. */
function makeLate(answer: Answer): { late: Answer; give: () => void } {
  const { promise: given, resolve: give } = Promise.withResolvers<void>();
  return { late: (request, response) => void given.then(() => answer(request, response)), give };
}

test('a press while the product is being looked for waits for the answer, then sends what is sure', async () => {
  const { late, give } = makeLate(subject(true));
  const { user, asked } = await setUp(late);
  await user.upload(well(), pictureFile());
  await user.click(button());
  expect(await screen.findByText(...LOOKING)).toBeTruthy();
  expect(asked).not.toContain('POST /api/v1/tools/remover/generations');
  give();
  await waitFor(() => expect(asked).toContain('POST /api/v1/tools/remover/generations'));
});

test('what is doubtful is asked after such a press, too, and nothing is sent', async () => {
  const { late, give } = makeLate(subject(false));
  const { user, asked } = await setUp(late);
  await user.upload(well(), pictureFile());
  await user.click(button());
  await screen.findByText(...LOOKING);
  give();
  await screen.findByText('Is this it?');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Yes' })));
  expect(screen.queryByText(...LOOKING)).toBeNull();
  expect(asked).not.toContain('POST /api/v1/tools/remover/generations');
});

/** Presses while the product is being looked for, then goes to another screen before the answer is there. */
async function pressAndLeave(answer: Answer) {
  const { late, give } = makeLate(answer);
  const view = await setUp(late);
  await view.user.upload(well(), pictureFile());
  await view.user.click(button());
  await screen.findByText(...LOOKING);
  act(() => view.router.history.push('/elsewhere'));
  await screen.findByText('Elsewhere');
  give();
  return view;
}

test('what is doubtful is not sent after its screen was left: one toast says so and leads back to the question', async () => {
  const { user, asked, router } = await pressAndLeave(subject(false));
  await screen.findByText('Your photo for Remover Background was not sent yet. Say first what your product is.');
  expect(screen.getByRole('link', { name: 'Answer' }).getAttribute('href')).toBe('/dashboard/remover');
  act(() => router.history.push('/'));
  await screen.findByText('Is this it?');
  expect(asked).not.toContain('POST /api/v1/tools/remover/generations');
  await waitFor(() => expect(screen.queryByText(/was not sent yet/), 'the form says it now').toBeNull());
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await user.click(button());
  await waitFor(() => expect(asked).toContain('POST /api/v1/tools/remover/generations'));
  expect(asks(asked), 'the answer was kept').toBe(1);
});

test('what is sure is sent after its screen was left, too', async () => {
  const { asked } = await pressAndLeave(subject(true));
  await waitFor(() => expect(asked).toContain('POST /api/v1/tools/remover/generations'));
  expect(screen.queryByText(/was not sent yet/)).toBeNull();
});

test('a photo that turns out to be unreadable after such a press is refused, and nothing is sent', async () => {
  const detail = 'Failed to load image. Please try another file.';
  const { late, give } = makeLate(refuse('image_unreadable', [{ field: 'image', code: 'image_unreadable', detail }]));
  const { user, asked } = await setUp(late);
  await user.upload(well(), pictureFile());
  await user.click(button());
  await screen.findByText(...LOOKING);
  give();
  await waitFor(() => expect(document.querySelector('form .error')?.textContent).toBe(detail));
  expect(asked).not.toContain('POST /api/v1/tools/remover/generations');
});

test('such a press can be canceled', async () => {
  const { late, give } = makeLate(subject(true));
  const { user, asked } = await setUp(late);
  await user.upload(well(), pictureFile());
  await user.click(button());
  await screen.findByText(...LOOKING);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByText(...LOOKING)).toBeNull());
  give();
  await waitFor(() => expect(document.querySelector('svg.outline')).toBeTruthy());
  expect(asked).not.toContain('POST /api/v1/tools/remover/generations');
});

test('such a press waits only a little: a busy engine may take long', async () => {
  const { late } = makeLate(subject(true));
  const { user, asked } = await setUp(late);
  await user.upload(well(), pictureFile());
  await user.click(button());
  await screen.findByText(...LOOKING);
  const sent = () => expect(asked).toContain('POST /api/v1/tools/remover/generations');
  await waitFor(sent, { timeout: 2 * LOOK_WAIT_MS });
}, 15_000);

test('a press is not kept by a server that cannot look', async () => {
  const { late, give } = makeLate(json({ code: 'subject_unavailable', detail: 'x' }, 503));
  const { user, asked } = await setUp(late);
  await user.upload(well(), pictureFile());
  await user.click(button());
  await screen.findByText(...LOOKING);
  give();
  await waitFor(() => expect(asked).toContain('POST /api/v1/tools/remover/generations'));
});

test.each(['image-to-video', 'basic-image-to-video'] as const)(
  'a photo in which no product is found is not filmed before it was shown: %s',
  async (toolId) => {
    const { user, asked } = await setUp(subject(false, null), toolId);
    await user.upload(well(), pictureFile());
    await screen.findByText('Which thing is your product?');
    if (toolId === 'image-to-video') await user.type(screen.getByRole('textbox', { name: /Motion/ }), 'slow zoom');
    await user.click(screen.getByRole('button', { name: /^Generate Video/ }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /Show us the product/ }));
    expect(asked).not.toContain(`POST /api/v1/tools/${toolId}/generations`);
  },
);

test('nothing found: the product can be shown, or another photo taken, which is asked about anew', async () => {
  const { user, asked } = await setUp(inTurn(subject(false, null), subject(true)));
  await user.upload(well(), pictureFile());
  expect(await screen.findByText('Which thing is your product?')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull();
  await user.upload(well(), pictureFile('cup.jpg'));
  await waitFor(() => expect(asks(asked)).toBe(2));
  await waitFor(() => expect(screen.queryByText('Which thing is your product?')).toBeNull());
});

test('a server that cannot look says nothing, and neither does the page', async () => {
  const { user, asked } = await setUp(json({ code: 'subject_unavailable', detail: 'x' }, 503));
  await user.upload(well(), pictureFile());
  await waitFor(() => expect(asks(asked)).toBe(1));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/Is this it|Which thing/)).toBeNull();
  expect(button().getAttribute('aria-disabled')).not.toBe('true');
});

test('a provider that takes no marks is not asked for', async () => {
  const { user, asked } = await setUp(subject(false), 'remover', []);
  await user.upload(well(), pictureFile());
  await screen.findByText('vase.jpg');
  expect(asks(asked)).toBe(0);
  expect(screen.queryByRole('button', { name: 'Show us the product' })).toBeNull();
});

test('of two pictures the garment is asked about', async () => {
  const { user } = await setUp(subject(false), 'dress-change', ['garmentMarks']);
  await user.upload(screen.getByLabelText(/Garment Image/), pictureFile('coat.jpg'));
  expect(await screen.findByText('Is this it?')).toBeTruthy();
  const field = screen.getByText('Is this it?').closest('[data-field]');
  expect(field?.getAttribute('data-field')).toBe('garmentImage');
});

test('refused: the reason stands in the card, and showing the product comes first', async () => {
  const refused = makeGeneration({
    tool: 'remover',
    status: 'failed',
    refunded: true,
    error: { code: 'provider_rejected', message: 'We could not tell the product from its background.' },
    candidate: { box: [0.1, 0.2, 0.6, 0.7] },
  });
  const { user } = await setUp(json({ code: 'subject_unavailable', detail: 'x' }, 503), 'remover', ['marks'], {
    'POST /api/v1/tools/remover/generations': json(refused, 202),
  });
  await user.upload(well(), pictureFile());
  await user.click(button());
  const stage = within(screen.getByRole('region', { name: 'Result' }));
  expect(await stage.findByText('We could not tell the product from its background.')).toBeTruthy();
  await stage.findByRole('button', { name: 'Show us the product' });
  const [first, second] = stage.getAllByRole('button');
  expect([first?.textContent, second?.textContent]).toEqual(['Show us the product', 'Choose another photo']);
  expect(stage.getByText('1 credit returned.')).toBeTruthy();
  expect(stage.queryByText(/You have/)).toBeNull();
  expect(screen.queryByText('Is this it?'), 'it is asked once').toBeNull();
});

test.each([
  ['no person was found in the other photo', {}, ['Choose another person', 'Choose another garment']],
  ['nothing was found in the garment', { candidate: null }, ['Show us the product', 'Choose another garment']],
])('of two pictures the way on is offered where it was refused: %s', async (message, part, buttons) => {
  const refused = makeGeneration({
    tool: 'dress-change',
    status: 'failed',
    refunded: true,
    error: { code: 'provider_rejected', message },
    ...part,
  });
  const { user } = await setUp(subject(true), 'dress-change', ['garmentMarks'], {
    'POST /api/v1/tools/dress-change/generations': json(refused, 202),
  });
  for (const label of [/^Your Image/, /^Garment Image/]) await user.upload(screen.getByLabelText(label), pictureFile());
  await user.click(screen.getByRole('button', { name: /^Generate Dress Change/ }));
  const stage = within(screen.getByRole('region', { name: 'Result' }));
  await stage.findByText(message);
  await waitFor(() => expect(stage.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons));
  const opened = vi.fn();
  screen.getByLabelText(/^Garment Image/).addEventListener('click', opened);
  await user.click(stage.getByRole('button', { name: 'Choose another garment' }));
  expect(opened).toHaveBeenCalledOnce();
});
