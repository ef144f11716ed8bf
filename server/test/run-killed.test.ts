/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../src/commands/check.ts';
import { readConfig } from '../src/config.ts';
import { removeOrphans } from '../src/media/orphans.ts';
import { createLog } from '../src/platform/log.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { makeDatabase } from './database.ts';
import { makePicture, makeRun, makeUser, signedIn, submitItem, type TestUser, waitUntil } from './makers.ts';
import { type Product, startProduct } from './product.ts';
import { type ScriptedProvider, startScriptedProvider } from './provider-script.ts';

const ITEMS = 24;
const HOURS_AHEAD_MS = 2 * 3_600_000;

let made: Awaited<ReturnType<typeof makeDatabase>>;
let provider: ScriptedProvider;
let dataDir: string;
let environment: Record<string, string>;
let product: Product;

beforeAll(async () => {
  made = await makeDatabase();
  provider = await startScriptedProvider();
  dataDir = mkdtempSync(join(tmpdir(), 'plinth-killed-'));
  environment = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: made.url,
    FAL_KEY: 'key:of-the-test',
    FAL_QUEUE_URL: provider.url,
    FAL_REST_URL: provider.url,
    FAL_RUN_URL: provider.url,
    RESULT_HOSTS: provider.host,
    PROVIDER_POLL_SCALE: '0.02',
    RATE_LIMIT_SCALE: '100',
    AUTH_EMAIL_SIGNUP: 'true',
  };
  product = await startProduct(environment);
});

afterAll(async () => {
  product.child.kill('SIGKILL');
  await provider.close();
  await made.drop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
});

/** Like a browser that loses its connection: repeats the request until it is answered. */
async function sendItem(user: () => TestUser, runId: string, key: string, image: Buffer): Promise<void> {
  for (;;) {
    const answer = await submitItem(user(), runId, { key, image }).catch(() => undefined);
    if (answer?.status === 202) return;
    if (answer !== undefined && ![409, 429, 503].includes(answer.status)) throw new Error(await answer.text());
    await sleep(100);
  }
}

/** The queue detects a dead worker when its heartbeat stops for ten seconds; here that time has passed at once. */
const hurry = () =>
  sql`
    update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds'
    where state = 'active' and heartbeat_on < now() - interval '4 seconds'`.execute(made.db);

it('a run is whole after kill -9 in its middle: one debit, one result or refund for each item, and no file too many', async () => {
  const first = await makeUser({ url: product.url, db: made.db }, { credits: ITEMS });
  const user = () => signedIn(product, first);
  const run = await makeRun(user());
  const images = await Promise.all(Array.from({ length: ITEMS }, () => makePicture()));
  let restarted: Promise<void> | undefined;
  const restart = async () => {
    product.child.kill('SIGKILL');
    product = await startProduct(environment);
  };
  let next = 0;
  const upload = async () => {
    while (next < ITEMS) {
      const index = next;
      next += 1;
      if (index === ITEMS / 2) restarted = restart();
      await sendItem(user, run.id, `item-${index}`, images[index] as Buffer);
    }
  };
  await Promise.all(Array.from({ length: 4 }, upload));
  await restarted;
  const { counts } = await waitUntil(
    async () => {
      await hurry();
      return user().get<{ counts: Record<string, number> }>(`/api/v1/runs/${run.id}`);
    },
    ({ counts: now }) => (now.succeeded ?? 0) + (now.failed ?? 0) === ITEMS,
    60_000,
  );

  const { succeeded = 0, failed = 0 } = counts;
  expect(succeeded).toBeGreaterThan(ITEMS / 2);
  expect(await user().credits()).toBe(failed);
  const ledger = await sql<{ reason: string; count: number; generations: number }>`
    select reason, count(*) as count, count(distinct generation_id) as generations from credit_ledger
    where user_id = ${first.id} and reason in ('debit', 'refund') group by reason order by reason`.execute(made.db);
  const entries = new Map(ledger.rows.map(({ reason, count, generations }) => [reason, [count, generations]]));
  expect(entries.get('debit')).toEqual([ITEMS, ITEMS]);
  expect(entries.get('refund') ?? [0, 0]).toEqual([failed, failed]);

  // Two hours later, when the sweep may delete files without a row.
  const library = {
    db: made.db,
    storage: await openStorage(readConfig(environment)),
    clock: { now: () => new Date(Date.now() + HOURS_AHEAD_MS) },
    ttlSeconds: 48 * 3600,
    maxStorageBytes: undefined,
  };
  await removeOrphans(library, createLog('silent'));
  expect(await findViolations(library)).toEqual([]);
  const rows = await sql<{ count: number }>`
    select (select count(*) from uploads) + (select count(*) from generated_media) as count`.execute(made.db);
  let files = 0;
  for await (const { key } of library.storage.list()) if (/^(uploads|results)\//.test(key)) files += 1;
  expect(files).toBe(rows.rows[0]?.count);
}, 120_000);
