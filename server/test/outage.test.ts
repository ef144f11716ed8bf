import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { auditLedger } from '../src/credits/audit.ts';
import type { RunOptions } from '../src/generations/run.ts';
import { systemClock } from '../src/platform/clock.ts';
import { isDatabaseUnavailable, openDatabase, transaction } from '../src/platform/data/db.ts';
import { createLog } from '../src/platform/log.ts';
import { openQueue } from '../src/platform/data/queue.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startBucket } from './bucket.ts';
import { makeGeneration, makeUser, signedIn, submit, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { startProxy } from './wire.ts';

/** Cuts every connection to the app's database, like a restart of Postgres. */
async function cutConnections(app: TestApp): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
    .execute(app.db)
    .catch(() => undefined);
}

describe('when every connection to the database is cut', () => {
  let app: TestApp;
  let user: TestUser;
  beforeAll(async () => {
    app = await startTestApp();
    user = await makeUser(app, { credits: 200 });
  });
  afterAll(() => app.close());

  it('with concurrent reads and writes, the process survives, answers 503 or better, and recovers', async () => {
    const statuses = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: 6 }, async (_, at) => {
      while (!isOver) {
        const answer = await (at % 2 === 0 ? user.fetch('/api/v1/credits/history') : submit(user));
        await answer.arrayBuffer();
        statuses.add(answer.status);
      }
    });
    for (let round = 0; round < 12; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 120));
      await cutConnections(app);
    }
    isOver = true;
    await Promise.all(load);
    expect([...statuses].filter((status) => ![200, 202, 429, 503].includes(status))).toEqual([]);
    await waitUntil(
      async () => (await fetch(`${app.url}/readyz`)).status,
      (status) => status === 200,
    );
    await waitUntil(
      async () => (await user.get<{ items: unknown[] }>('/api/v1/generations?status=running')).items.length,
      () => true,
    );
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('a connection that dies between two statements of a transaction is "away", not a fault of ours', async () => {
    const database = openDatabase(app.databaseUrl, { maxConnections: 1 });
    const broken = transaction(database.db, async (tx) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${own.rows[0]?.pid})`.execute(app.db);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await sql`select 1`.execute(tx);
    });
    await expect(broken).rejects.toSatisfy(isDatabaseUnavailable);
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
    await database.close();
    // A request is still running when the process stops waiting for it.
    await expect(sql`select 1`.execute(database.db)).rejects.toSatisfy(isDatabaseUnavailable);
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])('a network that answers %s is "away", too', (code) =>
    expect(isDatabaseUnavailable(Object.assign(new Error(code), { code }))).toBe(true),
  );

  it('running jobs still end', async () => {
    const { id } = await makeGeneration(user);
    await cutConnections(app);
    await waitUntil(
      async () => (await user.fetch(`/api/v1/generations/${id}`)).json() as Promise<{ status?: string }>,
      ({ status }) => status === 'succeeded' || status === 'failed',
      40_000,
    );
    expect(await auditLedger(app.db)).toEqual([]);
  });
});

describe('when the database goes away in the very commit', () => {
  let app: TestApp;
  let door: Awaited<ReturnType<typeof startProxy>>;
  let web: App;
  let user: TestUser;
  beforeAll(async () => {
    app = await startTestApp({ ROLE: 'web' });
    door = await startProxy(new URL(app.databaseUrl));
    const behind = Object.assign(new URL(app.databaseUrl), { port: String(door.port) }).href;
    web = await startApp({
      config: readConfig({ ...app.environment, DATABASE_URL: behind, ROLE: 'web' }),
      secrets: readOrMakeSecrets(app.dataDir),
      databaseUrl: behind,
      clock: systemClock,
      log: createLog('fatal'),
      engineUrl: undefined,
      getEngineUrl: () => Promise.reject(new Error('there is none')),
      isEngineUp: () => true,
      pagesDir: app.dataDir,
      checkpoint: async () => undefined,
    });
    const owner = await makeUser(app, { credits: 5 });
    user = signedIn({ url: `http://127.0.0.1:${web.port}` }, owner);
  });
  afterAll(async () => {
    await web.stop();
    door.close();
    await app.close();
  });

  it('a committed generation keeps its photo', async () => {
    await sql`create function wait_at_commit() returns trigger language plpgsql as $$
      begin perform pg_sleep(1); return null; end $$`.execute(app.db);
    await sql`create constraint trigger wait_at_commit after insert on generations deferrable initially deferred
      for each row execute function wait_at_commit()`.execute(app.db);
    const response = submit(user);
    await waitUntil(
      async () => (await sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`.execute(app.db)).rows.length,
      (count) => count > 0,
    );
    door.shut();
    expect((await response).status).toBe(503);
    door.reopen();
    const found = await waitUntil(
      async () => (await sql<{ key: string }>`select object_key as key from uploads`.execute(app.db)).rows,
      (rows) => rows.length === 1,
    );
    expect(existsSync(join(app.dataDir, 'files', found[0]?.key ?? ''))).toBe(true);
    await sql`drop trigger wait_at_commit on generations`.execute(app.db);
  });
});

const startWorker = (app: TestApp, checkpoint: RunOptions['checkpoint']): Promise<App> =>
  startApp({
    config: readConfig({ ...app.environment, ROLE: 'worker' }),
    secrets: readOrMakeSecrets(app.dataDir),
    databaseUrl: app.databaseUrl,
    clock: systemClock,
    log: createLog('fatal'),
    engineUrl: undefined,
    getEngineUrl: () => Promise.reject(new Error('there is none')),
    isEngineUp: () => true,
    pagesDir: app.dataDir,
    checkpoint,
  });

it('words are deleted even while a file cannot be removed', async () => {
  const app = await startTestApp({ SWEEP_INTERVAL_SECONDS: '1' });
  const user = await makeUser(app, { credits: 1 });
  const { id } = await makeGeneration(user, { tool: 'text-to-image', prompt: 'on marble' });
  await waitForEnd(user, id);
  const found = await sql<{ key: string }>`select object_key as key from uploads`.execute(app.db);
  const path = join(app.dataDir, 'files', found.rows[0]?.key ?? '');
  rmSync(path);
  mkdirSync(path);
  for (const table of ['uploads', 'generated_media', 'generations'])
    await sql`update ${sql.table(table)} set created_at = created_at - interval '3 days'`.execute(app.db);
  await waitUntil(
    async () => (await sql<{ input: object }>`select input from generations`.execute(app.db)).rows[0]?.input,
    (input) => JSON.stringify(input) === '{}',
    10_000,
  );
  const left = await sql`select from uploads where deleted_at is null`.execute(app.db);
  expect(left.rows).toHaveLength(1);
  await app.close();
});

it('a generation that another worker has started to submit is left to that worker', async () => {
  const app = await startTestApp({ ROLE: 'web' });
  let begun = 0;
  const worker = await startWorker(app, async (name, id) => {
    if (name !== 'pictures-sent') return;
    begun += 1;
    await sql`update generations set submit_started_at = now() where id = ${id}`.execute(app.db);
  });
  const user = await makeUser(app, { credits: 1 });
  const { id } = await makeGeneration(user);
  await waitUntil(
    async () => begun,
    (times) => times > 0,
  );
  await sleep(1500);
  expect(await user.get(`/api/v1/generations/${id}`)).toMatchObject({ status: 'running', refunded: false });
  expect([begun, app.provider.submits.length]).toEqual([1, 0]);
  await worker.stop();
  await app.close();
});

describe('when the bucket goes away before the result is stored', () => {
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  let door: Awaited<ReturnType<typeof startProxy>>;
  let app: TestApp;
  let worker: App;
  const checked: string[] = [];
  beforeAll(async () => {
    bucket = await startBucket();
    door = await startProxy(bucket.url);
    app = await startTestApp({
      ...bucket.settings,
      ROLE: 'web',
      S3_ENDPOINT: `http://127.0.0.1:${door.port}`,
    });
    worker = await startWorker(app, async (name, id) => {
      if (name === 'checked' && checked.push(id) === 1) door.shut();
    });
  });
  afterAll(async () => {
    await worker.stop();
    await app.close();
    door.close();
    await bucket.close();
  });

  it('the result paid for at the provider is fetched again once storage is back, and stored', async () => {
    const user = await makeUser(app, { credits: 2 });
    const { id } = await makeGeneration(user);
    await waitUntil(
      async () => checked.length,
      (times) => times > 0,
    );
    await sleep(1500);
    door.reopen();
    const made = await waitForEnd(user, id);
    expect([made.status, made.error, await user.credits()]).toEqual(['succeeded', null, 1]);
    expect([checked, app.provider.submits.length]).toEqual([[id, id], 1]);
  });
});

describe('when the database is away while an item is deleted', () => {
  it('the item stays whole', async () => {
    const app = await startTestApp();
    const user = await makeUser(app, { credits: 1 });
    const { result } = await waitForEnd(user, (await makeGeneration(user)).id);
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'going down' using errcode = '57P01'; end $$`.execute(app.db);
    await sql`create trigger refuse before update on generated_media for each row execute function refuse()`.execute(
      app.db,
    );
    const deletion = () => user.fetch(`/api/v1/media/${result?.mediaId}`, { method: 'DELETE' });
    expect((await deletion()).status).toBe(503);
    expect((await user.fetch(result?.contentUrl ?? '')).status).toBe(200);
    await sql`drop trigger refuse on generated_media`.execute(app.db);
    expect((await deletion()).status).toBe(204);
    await app.close();
  });
});

describe('when the process stops while something is being accepted', () => {
  it('the sender gets 503 and nothing is stored', async () => {
    const app = await startTestApp();
    const queue = await openQueue(app.databaseUrl, { supervises: false, log: createLog('fatal') });
    await queue.stop(0);
    const accepting = transaction(app.db, (tx) => queue.enqueueGeneration(tx, 'gen_late', 0));
    await expect(accepting).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(
      (await sql`select 1 from pgboss.job where data ->> 'generationId' = 'gen_late'`.execute(app.db)).rows,
    ).toEqual([]);
    await app.close();
  });
});
