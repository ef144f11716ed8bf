/** @module-tag slow */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startBucket } from './bucket.ts';
import { makeGeneration, makeUser, postJson, submit, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem, startProxy } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 20 });
});
afterAll(() => app.close());

type Door = Awaited<ReturnType<typeof startProxy>>;

async function timed(pending: Promise<Response>): Promise<{ answer: Response; seconds: number }> {
  const start = performance.now();
  return { answer: await pending, seconds: (performance.now() - start) / 1000 };
}

describe('a database that says nothing', () => {
  let door: Door;
  let silent: App;
  let at: string;
  beforeAll(async () => {
    door = await startProxy(new URL(app.databaseUrl));
    const url = new URL(app.databaseUrl);
    url.port = String(door.port);
    const config = readConfig({ ...app.environment, DATABASE_URL: url.href, ROLE: 'web' });
    const rest = {
      engineUrl: undefined,
      getEngineUrl: () => Promise.reject(new Error('there is none')),
      isEngineUp: () => true,
      pagesDir: app.dataDir,
      checkpoint: async () => undefined,
    };
    const secrets = readOrMakeSecrets(app.dataDir);
    const log = createLog('fatal');
    silent = await startApp({ config, secrets, databaseUrl: url.href, clock: systemClock, log, ...rest });
    at = `http://127.0.0.1:${silent.port}`;
  });
  afterAll(async () => {
    await silent.stop();
    door.close();
  });

  it('is waited for ten seconds and no longer, for reads and for writes, and asked anew when it speaks again', async () => {
    const headers = { cookie: user.cookie };
    // Connections that are open when the silence begins, and later ones.
    await Promise.all(Array.from({ length: 6 }, () => fetch(`${at}/api/v1/credits`, { headers })));
    door.freeze();
    const answers = await Promise.all([
      timed(fetch(`${at}/api/v1/credits`, { headers })),
      timed(fetch(`${at}/api/v1/media`, { headers })),
      timed(postJson(`${at}/api/v1/auth/sign-in`, { email: user.email, password: user.password })),
      timed(postJson(`${at}/api/v1/purchases`, { package: 'basic' }, { ...headers, 'idempotency-key': 'silence' })),
      ...Array.from({ length: 30 }, () => timed(fetch(`${at}/api/v1/session`, { headers }))),
    ]);
    for (const { answer, seconds } of answers) {
      expect(seconds).toBeLessThan(14);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      await expectProblem(answer, 'temporarily_unavailable');
    }
    expect((await fetch(`${at}/healthz`)).status).toBe(200);
    door.reopen();
    await waitUntil(
      async () => (await fetch(`${at}/api/v1/credits`, { headers })).status,
      (status) => status === 200,
    );
    expect(await user.credits()).toBe(20);
  });

  it('that only holds a row for somebody else is left after ten seconds, too, and nothing is half done', async () => {
    const change = () =>
      postJson(`${at}/api/v1/auth/password`, { newPassword: 'n3w-secret', confirmPassword: 'n3w-secret' }, { cookie });
    const { cookie } = await makeUser(app);
    const { id } = (
      (await (await fetch(`${at}/api/v1/session`, { headers: { cookie } })).json()) as { user: { id: string } }
    ).user;
    await app.db.transaction().execute(async (tx) => {
      await sql`select 1 from users where id = ${id} for update`.execute(tx);
      const { answer, seconds } = await timed(change());
      expect(seconds).toBeLessThan(14);
      await expectProblem(answer, 'temporarily_unavailable');
    });
    expect((await change()).status).toBe(200);
  });
});

describe('a bucket that says nothing', () => {
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  let door: Door;
  let stored: TestApp;
  let owner: TestUser;
  beforeAll(async () => {
    bucket = await startBucket();
    door = await startProxy(bucket.url);
    stored = await startTestApp({ ...bucket.settings, S3_ENDPOINT: `http://127.0.0.1:${door.port}` });
    owner = await makeUser(stored, { credits: 5 });
  });
  afterAll(async () => {
    await stored.close();
    door.close();
    await bucket.close();
  });

  it('is waited for half a minute and no longer, costs nothing, and is used again', { timeout: 90_000 }, async () => {
    const made = await waitForEnd(owner, (await makeGeneration(owner)).id);
    const before = await owner.credits();
    door.freeze();
    const [upload, download] = await Promise.all([
      timed(submit(owner)),
      timed(owner.fetch(made.result?.contentUrl ?? '')),
      timed(owner.fetch('/readyz')).then(({ answer, seconds }) => {
        expect([answer.status, seconds < 2]).toEqual([503, true]);
      }),
    ]);
    for (const { answer, seconds } of [upload, download]) {
      expect(seconds).toBeLessThan(34);
      await expectProblem(answer, 'temporarily_unavailable');
    }
    expect(await owner.credits()).toBe(before);
    door.reopen();
    await sleep(100);
    expect((await owner.fetch(made.result?.contentUrl ?? '')).status).toBe(200);
    expect((await waitForEnd(owner, (await makeGeneration(owner)).id)).status).toBe('succeeded');
  });
});
