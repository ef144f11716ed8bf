// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import type { Generation } from '@plinth/contract/generations';
import { makeGeneration, makeResult } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { useMemory } from '../memory.ts';
import { putGeneration } from '../useFollowed.ts';
import { useGenerationToasts } from './generation-toasts.ts';

const own = new Map([['gen_1', 'press']]);
const working = makeGeneration({ id: 'gen_1', status: 'running', progress: { percent: 5, message: 'Placing' } });

function Follower({ stage }: { stage: { shown: string; row: string[] } | null }) {
  const followed = useMemory((memory) => memory.followed);
  useGenerationToasts(followed, own, stage);
  return <p>there</p>;
}

async function follow(ended: Partial<Generation>, isStaged: boolean): Promise<void> {
  const { origin } = await startServer({});
  act(() => putGeneration(working));
  renderScreen(<Follower stage={isStaged ? { shown: 'gen_1', row: ['gen_1'] } : null} />, { origin });
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

test('the stage says by itself that it was canceled', async () => {
  await follow({ status: 'canceled', refunded: true }, true);
  await waitFor(() => expect(useMemory.getState().followed[0]?.status).toBe('canceled'));
  expect(screen.queryByText(/^Canceled/)).toBeNull();
});
