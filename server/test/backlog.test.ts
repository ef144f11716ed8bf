import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeUser, type TestUser, waitUntil } from './makers.ts';

/** A sweep that has much to catch up on: no statement of it may grow with the backlog. */

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  // Without a worker, until one is started to sweep.
  app = await startTestApp({ ROLE: 'web', SWEEP_INTERVAL_SECONDS: '1', MEDIA_TTL_SECONDS: '3600' });
  user = await makeUser(app);
});
afterAll(() => app.close());

const BACKLOG = 2500;
const MOST = 1000;
const SWEPT = [
  ...['user_events', 'idempotency_keys', 'sessions', 'sign_in_states', 'webhook_deliveries', 'generations'],
  ...['run_items', 'runs', 'purchases', 'running_totals'],
];

async function limitStatements(): Promise<void> {
  await sql`
    create function limit_statement() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > ${sql.lit(MOST)} then raise exception 'too many rows of %', tg_table_name; end if;
      return null;
    end $$`.execute(app.db);
  for (const table of SWEPT)
    for (const change of ['delete', 'update'])
      await sql`
        create trigger ${sql.id(`limit_${change}`)} after ${sql.raw(change)} on ${sql.table(table)}
        referencing old table as changed for each statement execute function limit_statement()`.execute(app.db);
}

/** Inserts rows with the number `n`, and `old` and `recent` as moments. */
const insert = (into: string, columns: string) =>
  sql`
    insert into ${sql.raw(into)} select ${sql.raw(columns.replaceAll(':user', `'${user.id}'`))}
    from generate_series(1, ${sql.lit(BACKLOG)}) n,
      lateral (select now() - interval '40 days' as old, now() - interval '2 hours' as recent) as moments`.execute(
    app.db,
  );

async function makeBacklog(): Promise<void> {
  await insert('user_events (user_id, seq, name, body, created_at)', `:user, 10000 + n, 'credits', '{}', old`);
  await insert(
    'idempotency_keys (user_id, route, key, payload_hash, status, body, created_at)',
    `:user, 'runs', 'old' || n, '', 201, '{}', old`,
  );
  await insert(
    'idempotency_keys (user_id, route, key, payload_hash, status, body, created_at)',
    `:user, 'runs', 'recent' || n, '', 201, '{"fields":{"prompt":"secret"}}', recent`,
  );
  await insert(
    'sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at, expires_at)',
    `'ses_' || n, n::text::bytea, :user, '', old, old, old + interval '1 day'`,
  );
  await insert(
    'sign_in_states (state_hash, nonce, code_verifier, redirect_uri, created_at)',
    `n::text::bytea, '', '', '', old`,
  );
  await sql`
    insert into webhook_endpoints (id, user_id, url, events, secret, created_at)
    values ('we_1', ${user.id}, 'https://shop.example', '{}', '', now())`.execute(app.db);
  for (const age of ['old', 'recent'])
    await insert(
      'webhook_deliveries (id, endpoint_id, event, status, body, created_at, ended_at)',
      `'${age}' || n, 'we_1', 'completed', 'failed', '{}', ${age}, ${age}`,
    );
  const run = '(id, user_id, name, tool, fields, packs, created_at)';
  await insert(`runs ${run}`, `'old_' || n, :user, 'old', 'remover', '{}', '{}', old`);
  await insert(`runs ${run}`, `'recent_' || n, :user, 'recent', 'remover', '{"prompt":"secret"}', '{}', recent`);
  await insert(
    'generations (id, user_id, tool, cost, input, status, created_at, finished_at)',
    `'gen_' || n, :user, 'remover', 1, '{"prompt":"secret"}', 'succeeded', recent, recent`,
  );
  await insert(
    'run_items (id, run_id, filename, generation_id, created_at)',
    `'item_' || n, 'recent_1', 'secret.jpg', 'gen_' || n, recent`,
  );
  await insert(
    'purchases (id, user_id, package, credits, price_cents, currency, processor, created_at)',
    `'pur_' || n, :user, 'basic', 10, 1000, 'USD', 'stripe', old`,
  );
}

/** What the sweep has left to do, by table. */
async function countLeft(): Promise<Record<string, number>> {
  const left = {
    user_events: `created_at < now() - interval '1 day'`,
    idempotency_keys: `created_at < now() - interval '3 days' or body::text like '%secret%'`,
    sessions: `expires_at < now()`,
    sign_in_states: 'true',
    webhook_deliveries: `id like 'old%' or body is not null`,
    generations: `input <> '{}'`,
    run_items: 'filename is not null',
    runs: `id like 'old%' or fields <> '{}'`,
    purchases: `status = 'pending'`,
  };
  const counts = Object.entries(left).map(async ([table, where]) => {
    const found = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.raw(where)}`.execute(app.db);
    return [table, found.rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

it('is done in statements of a limited size, and one that fails undoes none before it', async () => {
  await makeBacklog();
  await limitStatements();
  await sql`
    create function fail_late() returns trigger language plpgsql as $$ begin
      if (select count(*) from sessions) < 1000 then raise exception 'too late'; end if;
      return null;
    end $$`.execute(app.db);
  await sql`
    create trigger fail_late after delete on sessions for each statement execute function fail_late()`.execute(app.db);
  const before = await countLeft();
  expect(Object.values(before).every((count) => count >= BACKLOG)).toBe(true);

  const worker = await app.startWorker();
  try {
    const { sessions, ...others } = await waitUntil(
      countLeft,
      ({ sessions: waiting = 0, ...rest }) => waiting < BACKLOG && Object.values(rest).every((count) => count === 0),
    );
    expect([sessions, Math.max(...Object.values(others))]).toEqual([BACKLOG - MOST, 0]);
    await sql`drop trigger fail_late on sessions`.execute(app.db);
    await waitUntil(countLeft, (left) => left.sessions === 0);
  } finally {
    await worker.stop();
  }
});
