// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { expect, test } from 'vitest';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { Generation } from '@plinth/contract/generations';
import { makeGeneration, makeResult } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { assignToast, showGeneration, useMemory } from '../memory.ts';
import { putGeneration } from '../followed.ts';
import { useGenerationToasts } from './useTray.ts';

const readToasts = () => toast.getToasts().map((shown) => 'title' in shown && shown.title);
const working = makeGeneration({ id: 'gen_1', status: 'running', progress: { percent: 5, message: 'Placing' } });

function Follower({ toolInView, isTrayOpen }: { toolInView: ToolId | null; isTrayOpen: boolean }) {
  const followed = useMemory((memory) => memory.followed);
  const read = useGenerationToasts(followed, toolInView, isTrayOpen);
  return (
    <>
      <p>there</p>
      <p role="status">{read?.sentence}</p>
    </>
  );
}

async function follow(ended: Partial<Generation>, isStaged: boolean, isTrayOpen = false): Promise<void> {
  const { origin } = await startServer({});
  act(() => {
    assignToast(working.id, 'press');
    showGeneration(working);
    putGeneration(working);
  });
  renderScreen(<Follower toolInView={isStaged ? working.tool : null} isTrayOpen={isTrayOpen} />, { origin });
  await screen.findByText('there');
  act(() => putGeneration({ ...working, ...ended }));
}

test('the end is said, on the stage as elsewhere; the work is not', async () => {
  await follow({ status: 'succeeded', result: makeResult() }, true);
  expect(await screen.findByText(tools[working.tool].says.done)).toBeTruthy();
  expect(screen.queryByText('Placing')).toBeNull();
});

test('that it was canceled is said where its stage is not in view', async () => {
  await follow({ status: 'canceled', refunded: true }, false);
  expect(await screen.findByText('Canceled. 1 credit returned.')).toBeTruthy();
});

test.each([
  ['Background Customization: Product mockup ready', { status: 'succeeded', result: makeResult() }],
  ['Background Customization: No', { status: 'failed', error: { code: 'provider_failed', message: 'No' } }],
] as const)(
  'an open tray shows the end by itself: it is read aloud, once, and no toast says it',
  async (said, ended) => {
    await follow(ended, false, true);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(said));
    expect(readToasts()).toEqual([]);
  },
);

test('a tray says nothing of the stage in view, nor of what was canceled, which it does not list', async () => {
  await follow({ status: 'succeeded', result: makeResult() }, true, true);
  expect(await screen.findByText(tools[working.tool].says.done)).toBeTruthy();
  act(() => putGeneration({ ...working, id: 'gen_3' }));
  act(() => assignToast('gen_3', 'gen_3'));
  act(() => putGeneration({ ...working, id: 'gen_3', status: 'canceled' }));
  expect(await screen.findByText('Canceled.')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('');
});

test('the stage says by itself that it was canceled', async () => {
  await follow({ status: 'canceled', refunded: true }, true);
  await waitFor(() => expect(useMemory.getState().followed[0]?.status).toBe('canceled'));
  expect(screen.queryByText(/^Canceled/)).toBeNull();
});

test('what was said about the last result goes when the stage works again', async () => {
  await follow({ status: 'succeeded', result: makeResult() }, true);
  await screen.findByText(tools[working.tool].says.done);
  const next = { ...working, id: 'gen_2' };
  act(() => {
    putGeneration(next);
    showGeneration(next);
  });
  await waitFor(() => expect(screen.queryByText(tools[working.tool].says.done)).toBeNull());
});
