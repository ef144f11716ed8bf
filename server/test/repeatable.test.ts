import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { systemClock } from '../src/platform/clock.ts';
import { startTestApp, type TestApp } from './app.ts';
import { ended, makeGeneration, makeUser } from './makers.ts';

const UNKNOWN = { httpStatus: 404, body: { detail: 'unknown request' } };

describe('the built-in engine, whose work is free', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, systemClock, 'built-in');
  });
  afterAll(() => app.close());

  it('is asked again when it lost the request with its memory', async () => {
    const user = await makeUser(app, { credits: 3 });
    const before = app.provider.submits.length;
    const lost = new Set<string>();
    app.provider.behave({
      status: (job) => {
        if (lost.size === 0) lost.add(job.id);
        return lost.has(job.id) ? UNKNOWN : { body: { status: 'COMPLETED' } };
      },
    });
    const { id } = await makeGeneration(user);
    expect((await ended(user, id)).status).toBe('succeeded');
    expect(app.provider.submits.length - before).toBe(2);
    expect((await user.ledger()).map(({ reason }) => reason)).toEqual(['debit', 'adjustment']);
  });

  it('is asked again once, not for ever', async () => {
    const user = await makeUser(app, { credits: 3 });
    const before = app.provider.submits.length;
    app.provider.behave({ status: () => UNKNOWN });
    const { id } = await makeGeneration(user);
    expect(await ended(user, id)).toMatchObject({ status: 'failed', refunded: true });
    expect(app.provider.submits.length - before).toBe(2);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('is asked again when it is gone for a moment, as it is while it starts anew', async () => {
    const user = await makeUser(app, { credits: 3 });
    let isFirst = true;
    app.provider.behave({
      submit: (response) => {
        if (!isFirst) return false;
        isFirst = false;
        response.destroy();
        return true;
      },
    });
    const { id } = await makeGeneration(user);
    expect((await ended(user, id)).status).toBe('succeeded');
  });

  it.each(['submit-marked', 'submitted', 'polled'])(
    'goes on when its worker was killed at "%s"',
    { timeout: 60_000 },
    async (checkpoint) => {
      const web = await startTestApp({ ROLE: 'web' }, systemClock, 'built-in');
      const doomed = () =>
        spawn(process.execPath, [join(import.meta.dirname, 'crash-worker.ts')], {
          env: { ...process.env, ...web.environment, CRASH_AT: checkpoint, ENGINE_URL: web.provider.url },
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
      const user = await makeUser(web, { credits: 2 });
      const { id } = await makeGeneration(user);
      await once(doomed(), 'exit');
      const next = await web.startWorker();
      expect((await ended(user, id, 50_000)).status).toBe('succeeded');
      expect(await user.credits()).toBe(1);
      expect(await auditLedger(web.db)).toEqual([]);
      await next.stop();
      await web.close();
    },
  );
});
