import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { auditLedger } from '../src/credits/audit.ts';
import { adjustCredits } from '../src/credits/ledger.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { createLog } from '../src/platform/log.ts';
import { compactTotals, readTotals } from '../src/platform/data/running-totals.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makePicture,
  makePurchase,
  makeUser,
  postJson,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';
import { freePort } from './wire.ts';

/** Web and worker on one database, as on two machines. */
let web: TestApp;
let worker: App | undefined;
let user: TestUser;
let webPort: number;
let workerPort: number;
beforeAll(async () => {
  [webPort, workerPort] = await Promise.all([freePort(), freePort()]);
  web = await startTestApp({ ROLE: 'web', METRICS_PORT: String(webPort) });
  worker = await startWorker(web);
  user = await makeUser(web, { credits: 3 });
});
afterAll(async () => {
  await worker?.stop();
  await web.close();
});

function startWorker(beside: TestApp): Promise<App> {
  const settings = { ROLE: 'worker', METRICS_PORT: String(workerPort), SWEEP_INTERVAL_SECONDS: '1' };
  return startApp({
    config: readConfig({ ...beside.environment, ...settings }),
    secrets: readOrMakeSecrets(beside.dataDir),
    databaseUrl: beside.databaseUrl,
    clock: systemClock,
    log: createLog('silent'),
    engineUrl: undefined,
    getEngineUrl: () => Promise.reject(new Error('there is none')),
    isEngineUp: () => true,
    pagesDir: join(beside.dataDir, 'no-pages'),
    checkpoint: async () => undefined,
  });
}

const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const valueIn = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};
const valueAt = async (port: number, series: string) => valueIn(await scrape(port), series);

/** Lets the leader's lease expire. */
const endLease = () => sql`update leader set leads_until = now() - interval '1 second'`.execute(web.db);

/** The values according to the tables. */
async function countAnew() {
  const found = await sql<{ name: string; number: number; amount: number }>`
    select 'ledger' as name, count(*) as number, coalesce(sum(delta), 0) as amount from credit_ledger
    union all select 'balances', 0, coalesce(sum(credits), 0) from user_credits
    union all select status, count(*), 0 from generations group by status
    union all select 'upload', count(*), coalesce(sum(bytes), 0) from uploads where deleted_at is null
    union all select 'result', count(*), coalesce(sum(bytes), 0) from generated_media where deleted_at is null
  `.execute(web.db);
  return found.rows;
}

async function expectTrueTotals() {
  const total = await readTotals(web.db);
  for (const { name, number, amount } of await countAnew()) {
    expect({ name, number: total(name).number, amount: total(name).amount }).toEqual({ name, number, amount });
  }
}

describe('the gauges of the installation', () => {
  it('are reported by one process only, and by another once it is gone', async () => {
    expect(await valueAt(webPort, 'credits_ledger_sum')).toBe(3);
    for (const series of ['credits_ledger_sum', 'queue_depth', 'ledger_violations', 'storage_orphans'])
      expect(await valueAt(workerPort, series), series).toBeUndefined();
    for (const port of [webPort, workerPort])
      expect(await valueAt(port, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    // The next process to ask becomes the leader.
    await endLease();
    expect(await valueAt(workerPort, 'credits_ledger_sum')).toBe(3);
    expect(await valueAt(webPort, 'credits_ledger_sum')).toBeUndefined();
    await worker?.stop();
    await endLease();
    expect(await valueAt(webPort, 'credits_ledger_sum')).toBe(3);
    worker = await startWorker(web);
    expect(await valueAt(workerPort, 'credits_ledger_sum')).toBeUndefined();
  });

  it('are the only metrics left out while the leader’s query hangs', { tags: ['slow'] }, async () => {
    const text = await transaction(web.db, async (tx) => {
      await sql`lock table leader in access exclusive mode`.execute(tx);
      const startedAt = performance.now();
      const metrics = await scrape(webPort);
      expect(performance.now() - startedAt).toBeLessThan(9000);
      return metrics;
    });
    expect(valueIn(text, 'credits_ledger_sum')).toBeUndefined();
    expect(valueIn(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(await valueAt(webPort, 'credits_ledger_sum')).toBe(3);
  });

  it('report on a web process what a worker’s sweep found', async () => {
    const isFresh = (moment: number | undefined) => moment !== undefined && moment > Date.now() / 1000 - 60;
    await waitUntil(() => valueAt(webPort, 'retention_last_success_timestamp_seconds'), isFresh);
    await waitUntil(() => valueAt(webPort, 'ledger_last_walk_timestamp_seconds'), isFresh);
    expect(await valueAt(webPort, 'storage_orphans')).toBe(0);
  });

  it('are read without querying the ledger', async () => {
    const text = await transaction(web.db, async (tx) => {
      await sql`lock table credit_ledger, user_credits in access exclusive mode`.execute(tx);
      return Promise.race([
        scrape(webPort),
        new Promise<string>((resolve) => setTimeout(resolve, 3000, 'waits for the ledger')),
      ]);
    });
    expect(valueIn(text, 'credits_ledger_sum')).toBe(3);
  });
});

describe('running totals', () => {
  it('equal the tables after every kind of change', async () => {
    const { id } = await makeGeneration(user);
    await waitForEnd(user, id);
    web.provider.behave({ polls: 10_000 });
    const running = await makeGeneration(user);
    await waitUntil(
      async () => (await readTotals(web.db))('running').number,
      (count) => count === 1,
    );
    await user.fetch(`/api/v1/generations/${running.id}/cancel`, { method: 'POST' });
    await waitForEnd(user, running.id);
    web.provider.behave({});
    const purchase = await makePurchase(user, 'basic');
    const token = purchase.checkoutUrl.split('/').at(-1);
    await postJson(`${web.url}/api/v1/sandbox/checkout/${token}`, { action: 'pay' }, { cookie: user.cookie });
    const leaving = await makeUser(web, { credits: 2 });
    const kept = await waitForEnd(leaving, (await makeGeneration(leaving, { image: await makePicture(200, 100) })).id);
    expect((await leaving.fetch(`/api/v1/media/${kept.result?.mediaId}`, { method: 'DELETE' })).status).toBe(204);
    await leaving.fetch('/api/v1/account', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: leaving.password }),
    });
    expect((await readTotals(web.db))('ledger').amount).toBeGreaterThan(3);
    await expectTrueTotals();
  });

  it('lose nothing while they are compacted', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => makeUser(web)));
    let isOver = false;
    const adding = Array.from({ length: 3 }, async () => {
      while (!isOver) await compactTotals(web.db);
    });
    try {
      await Promise.all(
        people.map(async ({ id: userId }) => {
          for (let left = 40; left > 0; left -= 1)
            await transaction(web.db, (tx) => adjustCredits(tx, { userId, credits: 1, note: 'for a test' }));
        }),
      );
    } finally {
      isOver = true;
    }
    await Promise.all(adding);
    await expectTrueTotals();
  });
});

describe('the walk through the ledger', () => {
  it('finds a violation in its steps, and that it was repaired', async () => {
    // More accounts than one step audits.
    await sql`
      insert into users (id, email) select 'usr_00' || n, n || '@many.example' from generate_series(1, 1200) n`.execute(
      web.db,
    );
    await sql`insert into user_credits (user_id) select id from users where id like 'usr_00%'`.execute(web.db);
    const moveBalance = async (credits: number) => {
      await sql`alter table user_credits disable trigger user`.execute(web.db);
      await sql`update user_credits set credits = credits + ${credits} where user_id in (${user.id}, 'usr_001')`.execute(
        web.db,
      );
      await sql`alter table user_credits enable trigger user`.execute(web.db);
    };
    await moveBalance(1);
    expect((await auditLedger(web.db)).length).toBe(2);
    await waitUntil(
      () => valueAt(webPort, 'ledger_violations'),
      (count) => count === 2,
    );
    await moveBalance(-1);
    await waitUntil(
      () => valueAt(webPort, 'ledger_violations'),
      (count) => count === 0,
    );
    expect(await auditLedger(web.db)).toEqual([]);
  });
});
