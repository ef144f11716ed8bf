import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { type Checkpoint, checkpoints } from '../src/generations/run.ts';
import { startTestApp, type TestApp } from './app.ts';
import { killWorkerAt } from './killed-worker.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';

// A crash between these steps leaves it unknown whether the provider accepted the work: resubmitting could pay twice.
const LOST: Checkpoint[] = ['submit-marked', 'submitted'];
/** Polled without end, and canceled after its worker has crashed. */
const CANCELED = 'canceled';

type Begun = { user: TestUser; id: string };

describe('a worker that is killed', () => {
  let app: TestApp;
  const begun = new Map<string, Begun>();

  beforeAll(async () => {
    app = await startTestApp({ ROLE: 'web' });
    app.provider.behave({ polls: ({ input }) => (input['prompt'] === CANCELED ? 1_000_000 : 1) });
    for (const prompt of [...checkpoints, CANCELED]) {
      const user = await makeUser(app, { credits: 2 });
      const { id } = await makeGeneration(user, { tool: 'text-to-image', prompt });
      begun.set(prompt, { user, id });
    }
    const idOf = (prompt: string) => begun.get(prompt)?.id ?? '';
    const steps = checkpoints.map((step): [string, Checkpoint] => [idOf(step), step]);
    await killWorkerAt(app, new Map([...steps, [idOf(CANCELED), 'polled']]));
    const canceled = await begun.get(CANCELED)?.user.fetch(`/api/v1/generations/${idOf(CANCELED)}/cancel`, {
      method: 'POST',
    });
    expect(canceled?.status).toBe(202);
    const next = await app.startWorker();
    for (const { user, id } of begun.values()) await waitForEnd(user, id, 90_000);
    await next.stop();
  }, 120_000);
  afterAll(() => app.close());

  const submitsOf = (prompt: string) => app.provider.submits.filter(({ input }) => input['prompt'] === prompt);

  it.each(checkpoints)('at "%s" leaves one result or one refund, and one submit at most', async (step) => {
    const { user, id } = begun.get(step) as Begun;
    const isLost = LOST.includes(step);
    expect((await waitForEnd(user, id)).status).toBe(isLost ? 'failed' : 'succeeded');
    expect(await user.credits()).toBe(isLost ? 2 : 1);
    expect(submitsOf(step)).toHaveLength(step === 'submit-marked' ? 0 : 1);
    const media = await user.get<{ items: unknown[] }>('/api/v1/media');
    expect(media.items).toHaveLength(isLost ? 0 : 1);
  });

  it('during a requested cancellation ends canceled and is refunded once', async () => {
    const { user, id } = begun.get(CANCELED) as Begun;
    expect((await waitForEnd(user, id)).status).toBe('canceled');
    expect(await user.credits()).toBe(2);
    expect(submitsOf(CANCELED)).toHaveLength(1);
  });

  it('leaves a consistent ledger', async () => {
    expect(await auditLedger(app.db)).toEqual([]);
  });
});
