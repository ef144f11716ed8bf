// @vitest-environment jsdom
import { createEvent, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { pictureFile, renderScreen } from '../../../test/screen.tsx';
import { type Answers, json, startServer } from '../../../test/server.ts';
import { missingFields, priceOf, type Draft } from '../drafts.ts';
import { readDraft, readPage, useMemory } from '../memory.ts';
import { ToolInUseContext } from '../useTool.ts';
import { countVersions } from '../form-fingerprint.ts';
import { ToolForm } from './ToolForm.tsx';

type Served = { entry?: ToolEntry; answers?: Answers };

async function setUp(
  toolId: ToolId,
  draft: Draft = {},
  credits = 12,
  tool: Tool = tools[toolId],
  { entry, answers }: Served = {},
) {
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits }), ...answers });
  const idle = {
    generation: null,
    isBusy: false,
    isChecking: false,
    isLooking: false,
    refused: null,
    refusal: null,
  } as const;
  const work = {
    ...idle,
    submit: async () => {},
    cancel: async () => {},
    startAnother() {},
    show() {},
    row: [],
    isRemembered: false,
    isAwaited: false,
    sending: null,
    stopSending() {},
    isSendingOthers: false,
    press: { variants: ['0'], isShort: false },
    change: null,
    from: undefined,
    isMade: false,
    isOfSamePictures: false,
  };
  const inUse = {
    ...{
      toolId,
      tool,
      draft,
      missing: missingFields(tool, draft),
      work,
      again: 'new' as const,
    },
    ...{ canRedo: false, cost: priceOf(tool, draft), versions: countVersions(tool, draft) },
    ...{ entry, markable: null, picked: undefined, isResultFirst: false, isPlaced: false, place: undefined },
    second: { isSending: false, redo: async () => null, giveBack: async () => {} },
    ...{ setField() {}, submit() {}, mark() {}, choose() {} },
  };
  const { router } = renderScreen(
    <ToolInUseContext value={inUse}>
      <ToolForm ref={null} />
    </ToolInUseContext>,
    { origin },
  );
  await screen.findByRole('button', { name: /\d credit/ });
  return { router };
}

function drag(type: 'dragOver' | 'drop', place: Element, ...files: File[]) {
  const event = createEvent[type](place);
  Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], files } });
  fireEvent(place, event);
}

test('a picture dragged from another page is answered with the way to take it; one of this page, or words, are not', async () => {
  await setUp('text-to-image');
  const dragAddress = (place: Element) => {
    const event = createEvent.drop(place);
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['text/uri-list', 'text/html'], files: [] } });
    fireEvent(place, event);
    return event.defaultPrevented;
  };
  expect(dragAddress(screen.getByRole('textbox'))).toBe(false);
  fireEvent.dragStart(document.body);
  expect(dragAddress(document.body)).toBe(false);
  fireEvent.dragEnd(document.body);
  expect(dragAddress(document.body)).toBe(true);
  expect(await screen.findByText('Save the picture first, then drop its file here.')).toBeTruthy();
  expect([readDraft('text-to-image'), readPage('text-to-image').photos]).toEqual([{}, {}]);
});

test('words with a picture of themselves, as table programs copy them, are words in a field for words alone', async () => {
  await setUp('text-to-image');
  const paste = (place: Element, ...types: string[]) => {
    const event = createEvent.paste(place, { cancelable: true });
    Object.defineProperty(event, 'clipboardData', { value: { types, files: [pictureFile('cells.png')] } });
    fireEvent(place, event);
    return event.defaultPrevented;
  };
  const words = screen.getByRole('textbox');
  expect(paste(words, 'text/plain', 'text/html', 'Files')).toBe(false);
  expect(readPage('text-to-image').photos).toEqual({});
  // The name of a file, and the address of a picture.
  expect(paste(words, 'text/plain', 'Files')).toBe(true);
  expect(paste(words, 'text/html', 'Files')).toBe(true);
  expect(paste(screen.getByLabelText(/Product image/), 'text/plain', 'text/html', 'Files')).toBe(true);
});

test('a picture dropped anywhere goes to the free well', async () => {
  await setUp('remover');
  drag('dragOver', document.body);
  expect(await screen.findByText('Drop it')).toBeTruthy();
  const file = pictureFile();
  drag('drop', document.body, file);
  await vi.waitFor(() => expect(readDraft('remover')['image']).toMatchObject({ file }));
});

test('of several pictures the first is taken, and it is said', async () => {
  await setUp('remover');
  const first = pictureFile('first.jpg');
  drag('drop', document.body, first, pictureFile('second.jpg'));
  await vi.waitFor(() => expect(readDraft('remover')['image']).toMatchObject({ file: first }));
  expect(await screen.findByText('One photo at a time. We took the first.')).toBeTruthy();
});

test('with two wells the page shows both, and the half decides', async () => {
  await setUp('dress-change');
  drag('dragOver', document.body);
  const halves = await vi.waitFor(() => {
    const found = document.querySelectorAll('.halves > *');
    expect([...found].map((half) => half.textContent)).toEqual(['Drop itYour Image', 'Drop itGarment Image']);
    return found;
  });
  const file = pictureFile('coat.jpg');
  drag('drop', halves[1]!, file);
  await vi.waitFor(() =>
    expect(readDraft('dress-change')).toEqual({ garmentImage: expect.objectContaining({ file }) }),
  );
});

test('a price in words stays together when the button is narrow', async () => {
  await setUp('dress-change');
  const button = screen.getByRole('button', { name: 'Generate Dress Change (1 credit)' });
  expect(within(button).getByText('(1 credit)').className).toBe('one-line');
});

test('a choice that cannot be made says what is made instead, before it is paid', async () => {
  const own = 'The built-in engine keeps your own hair.';
  const { hairStyle } = tools['headshot-generator'].fields;
  const tool: Tool = {
    ...tools.remover,
    fields: { hairStyle: { ...hairStyle, instead: { target_hair: own } } },
  };
  await setUp('remover', { hairStyle: 'target_hair' }, 12, tool);
  expect(await screen.findByText(own)).toBeTruthy();
  expect(screen.getByText("Keep Target's Hair")).toBeTruthy();
});

test('of a portrait the built-in engine takes the studio, and the form says so', async () => {
  const model = { id: 'mdl_1', name: 'Red jacket', imageUrl: '/assets/1.jpg' };
  const servedBy = { kind: 'built-in', name: 'Built-in engine' } as const;
  const entry: ToolEntry = {
    id: 'headshot-generator',
    ...tools['headshot-generator'],
    servedBy,
    returnable: true,
    fields: [],
  };
  const answers = { 'GET /api/v1/headshot-models': json({ items: [model], nextCursor: null }) };
  await setUp('headshot-generator', { targetModelId: 'mdl_1' }, 12, undefined, { entry, answers });
  expect(await screen.findByText('Studio of “Red jacket” chosen')).toBeTruthy();
  expect(screen.getByText(/^Your own head, hair and clothes stay/)).toBeTruthy();
});

test('beside the button stands what is missing of its price; the way to credits leads back here after', async () => {
  const { router } = await setUp('image-to-video', {}, 2);
  const line = await screen.findByText(/You have 2 credits, this costs 5./);
  expect(screen.getByRole('button', { name: /5 credits/ }).getAttribute('aria-describedby')).toContain(line.id);
  fireEvent.click(within(line).getByRole('link', { name: 'Get credits' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/credits'));
  expect(useMemory.getState().unfinished).toBe('image-to-video');
});
