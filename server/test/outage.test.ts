import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { isDatabaseAway, openDatabase, transaction } from '../src/platform/db.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser, submit, type TestUser, until } from './makers.ts';

/** Cuts every connection to the app's database, as a restart of Postgres does. */
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

  it('with reads and writes on the way, the process lives, answers 503 or better, and is well again', async () => {
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
    await until(
      async () => (await fetch(`${app.url}/readyz`)).status,
      (status) => status === 200,
    );
    await until(
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
    await expect(broken).rejects.toSatisfy(isDatabaseAway);
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('jobs that were on the way end as ever', async () => {
    const { id } = await makeGeneration(user);
    await cutConnections(app);
    await until(
      async () => (await user.fetch(`/api/v1/generations/${id}`)).json() as Promise<{ status?: string }>,
      ({ status }) => status === 'succeeded' || status === 'failed',
      40_000,
    );
    expect(await auditLedger(app.db)).toEqual([]);
  });
});
