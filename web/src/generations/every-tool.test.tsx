// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { nameTool, toolIds, tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { makeGeneration, makeMedia, makeResult, makeSession } from '../../test/makers.ts';
import { clearBrowser, leavePage, pictureFile, renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer, type Answers } from '../../test/server.ts';
import { requiredFields } from './drafts.ts';
import { withStore } from '../platform/storage/database.ts';
import { ToolScreen } from './ToolScreen.tsx';
import { putGeneration } from './followed.ts';

const isOptional = (tool: Tool, name: string) =>
  ['marks', 'placement', 'variant'].includes(tool.fields[name]?.kind ?? '');
const nothing = { items: [], nextCursor: null };
const portraits = [1, 2].map((at) => ({ id: `mdl_${at}`, name: `Studio ${at}`, imageUrl: `/assets/${at}.jpg` }));

beforeEach(clearBrowser);

describe.each(toolIds)('the screen of %s', (toolId) => {
  const tool: Tool = tools[toolId];
  const SUBMIT = `POST /api/v1/tools/${toolId}/generations`;
  const running = makeGeneration({ tool: toolId, progress: { message: tool.says.working, percent: null } });

  async function setUp(answers: Answers = {}) {
    const { origin } = await startServer({
      'GET /api/v1/credits': json({ credits: 12 }),
      'GET /api/v1/generations': json(nothing),
      'GET /api/v1/media': json({ items: [makeMedia()], nextCursor: null }),
      'GET /api/v1/tools': json(nothing),
      'GET /api/v1/headshot-models': json({ items: portraits, nextCursor: null }),
      ...answers,
    });
    const view = renderScreen(<ToolScreen toolId={toolId} />, { origin });
    await screen.findByRole('heading', { level: 1, name: tool.title });
    // Two tools share a title; their windows do not.
    expect(document.title).toBe(`${nameTool(tool)} · Plinth`);
    return { ...view, user: userEvent.setup() };
  }

  const button = () => screen.getByRole('button', { name: new RegExp(`^${tool.says.button}\\b.*\\d credits?\\)?$`) });

  async function fillIn(user: ReturnType<typeof userEvent.setup>) {
    for (const name of requiredFields(tool)) {
      expect(button().getAttribute('aria-disabled'), `${name} is empty`).toBe('true');
      const field = tool.fields[name];
      if (field === undefined || !('label' in field)) throw new Error(`${name} cannot be filled in`);
      if (field.kind === 'model') {
        await user.click(await screen.findByRole('radio', { name: 'Studio 2' }));
        continue;
      }
      const control = screen.getByLabelText(new RegExp(`^${field.label.replace(/[()]/g, '\\$&')}`));
      if (field.kind === 'image') {
        await user.upload(control, pictureFile());
        await waitFor(() => expect(screen.queryAllByText('vase.jpg').length).toBeGreaterThan(0));
      } else await user.type(control, 'slowly');
    }
  }

  test('sends every field as it is shown, then shows the result and its download', async () => {
    // jsdom's forms do not travel over the real wire; what is put into them can be seen.
    const sent = vi.spyOn(FormData.prototype, 'append');
    const { user } = await setUp({ [SUBMIT]: json(running, 202) });
    await fillIn(user);
    await user.click(button());
    const stage = within(screen.getByRole('region', { name: 'Result' }));
    expect(await stage.findByText(tool.says.working)).toBeTruthy();
    expect(screen.getByRole('button', { name: new RegExp(tool.says.busy) })).toBeTruthy();
    const parts = sent.mock.calls.map(([name, value]) => [name, value as unknown]);
    sent.mockRestore();
    expect(parts.map(([name]) => name)).toEqual(Object.keys(tool.fields).filter((name) => !isOptional(tool, name)));
    for (const [name, field] of Object.entries(tool.fields))
      if (field.kind === 'choice') expect(parts).toContainEqual([name, field.options[0]?.value]);

    putGeneration({ ...running, status: 'succeeded', result: makeResult() });
    expect(await stage.findByRole('button', { name: tool.says.download })).toBeTruthy();
    const videos = tool.shows.kind === 'video' ? 1 : 0;
    await waitFor(() => expect(document.querySelectorAll('.stage video')).toHaveLength(videos));
  });

  test('poor: its own sentence, and a way to the credits', async () => {
    const { user } = await setUp({ [SUBMIT]: refuse('insufficient_credits', [], tool.says.poor) });
    await fillIn(user);
    await user.click(button());
    await waitFor(() => expect(document.querySelector('.error > span')?.textContent).toBe(tool.says.poor));
    // In the box and in the toast.
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Get credits' })).toHaveLength(2));
  });

  test('failed: its sentence, the credits that came back, and what is still here', async () => {
    const { user } = await setUp({ [SUBMIT]: json(running, 202) });
    await fillIn(user);
    await user.click(button());
    await screen.findByText(tool.says.working, { selector: '.stage *' });
    const error = { code: 'provider_failed', message: tool.says.failed } as const;
    putGeneration({ ...running, cost: tool.cost, status: 'failed', refunded: true, error });
    const stage = within(screen.getByRole('region', { name: 'Result' }));
    expect(await stage.findByText(tool.says.nothing)).toBeTruthy();
    expect(stage.getByText(new RegExp(`^${tool.cost} credits? returned\\.$`))).toBeTruthy();
    expect(document.querySelector('.error')?.textContent).toBe(tool.says.failed);
  });
});

test('portraits that cannot be loaded are asked for again by a button', async () => {
  let isBroken = true;
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/generations': json(nothing),
    'GET /api/v1/tools': json(nothing),
    'GET /api/v1/headshot-models': (request, response) =>
      (isBroken ? refuse('temporarily_unavailable') : json({ items: portraits, nextCursor: null }))(request, response),
  });
  renderScreen(<ToolScreen toolId="headshot-generator" />, { origin });
  expect(await screen.findByText('Failed to load model images')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByRole('radio')).toHaveLength(2);
});

test('what was chosen from a list is chosen again after a reload, and what stands in the list no more is not', async () => {
  const show = async () => {
    const { origin } = await startServer({
      'GET /api/v1/credits': json({ credits: 12 }),
      'GET /api/v1/generations': json(nothing),
      'GET /api/v1/tools': json(nothing),
      'GET /api/v1/headshot-models': json({ items: portraits, nextCursor: null }),
    });
    renderScreen(<ToolScreen toolId="headshot-generator" />, { origin });
    return screen.findByRole<HTMLSelectElement>('combobox', { name: /Gender/ });
  };
  const user = userEvent.setup();
  const gender = await show();
  const first = gender.value;
  const other = [...gender.options].find(({ value }) => value !== first)!.value;
  await user.selectOptions(gender, other);
  await waitFor(() => expect(gender.value).toBe(other));
  leavePage();
  const again = await show();
  await waitFor(() => expect(again.value).toBe(other));
  leavePage();
  const key = `${makeSession().user.id} tools drafts/headshot-generator/gender`;
  await withStore('readwrite', (store) => store.put({ key, at: Infinity, value: 'nobody' }));
  expect((await show()).value).toBe(first);
});
