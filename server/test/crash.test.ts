import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { type Checkpoint, checkpoints } from '../src/generations/run.ts';
import { startTestApp, type TestApp } from './app.ts';
import { ended, makeGeneration, makeUser } from './makers.ts';

// Between these two steps the provider may have accepted the work without our knowing: asking again could pay twice.
const LOST: Checkpoint[] = ['submit-marked', 'submitted'];

function startDoomed(app: TestApp, crashAt: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'crash-worker.ts')], {
    env: { ...process.env, ...app.environment, CRASH_AT: crashAt },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

const exit = (child: ChildProcess) =>
  new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));

describe('a worker that is killed', { timeout: 120_000 }, () => {
  it.concurrent.each([...checkpoints])(
    'at "%s" leaves one result or one refund, and one submit at most',
    async (checkpoint) => {
      const app = await startTestApp({ ROLE: 'web' });
      const user = await makeUser(app, { credits: 2 });
      const { id } = await makeGeneration(user);
      const doomed = startDoomed(app, checkpoint);
      expect(await exit(doomed)).toBe('SIGKILL');
      const next = await app.startWorker();
      const done = await ended(user, id, 90_000);
      const isLost = LOST.includes(checkpoint);
      expect(done.status).toBe(isLost ? 'failed' : 'succeeded');
      expect(await user.credits()).toBe(isLost ? 2 : 1);
      expect(app.provider.submits.length).toBeLessThanOrEqual(1);
      const media = await user.get<{ items: unknown[] }>('/api/v1/media');
      expect(media.items).toHaveLength(isLost ? 0 : 1);
      expect(await auditLedger(app.db)).toEqual([]);
      await next.stop();
      await app.close();
    },
  );

  it.concurrent('while the person asked to cancel ends canceled, refunded once', async () => {
    const app = await startTestApp({ ROLE: 'web' });
    app.provider.behave({ polls: 1_000_000 });
    const user = await makeUser(app, { credits: 2 });
    const { id } = await makeGeneration(user);
    const doomed = startDoomed(app, 'polled');
    await exit(doomed);
    expect((await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' })).status).toBe(202);
    const next = await app.startWorker();
    expect((await ended(user, id, 90_000)).status).toBe('canceled');
    expect(await user.credits()).toBe(2);
    await next.stop();
    await app.close();
  });
});
