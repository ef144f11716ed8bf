import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteAccount } from '../src/account/deletion.ts';
import { readConfig } from '../src/config.ts';
import { lockCredits } from '../src/credits/ledger.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makeItem,
  makeRun,
  makeUser,
  returnResult,
  submitItem,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, systemClock, 'built-in');
});
afterAll(() => app.close());

const NEVER = { polls: 1_000_000 };
const running = async (user: TestUser, id: string) => {
  const read = () => user.get<{ status: string }>(`/api/v1/generations/${id}`);
  await waitUntil(read, ({ status }) => status === 'running');
};

/** Each prepares a user up to the step before the balance is locked, and returns the remaining act. */
const ACTS: Record<string, (user: TestUser) => Promise<() => Promise<unknown>>> = {
  'a new generation': async (user) => () => makeGeneration(user),
  'a new item': async (user) => {
    const run = await makeRun(user);
    return () => submitItem(user, run.id);
  },
  'the end of a run that still runs': async (user) => {
    app.provider.behave(NEVER);
    const run = await makeRun(user);
    await running(user, (await makeItem(user, run.id)).generation.id);
    return () => user.fetch(`/api/v1/runs/${run.id}/cancel`, { method: 'POST' });
  },
  'a returned result': async (user) => {
    const { id } = await waitForEnd(user, (await makeGeneration(user)).id);
    return () => returnResult(user, id);
  },
  'the end of an account': async (user) => {
    app.provider.behave(NEVER);
    await running(user, (await makeGeneration(user)).id);
    return () => deleteUser(user);
  },
};

async function deleteUser(user: TestUser): Promise<unknown> {
  const library = { db: app.db, clock: systemClock, ttlSeconds: 3600, maxStorageBytes: undefined };
  return deleteAccount({ ...library, storage: await openStorage(readConfig(app.environment)) }, user.id);
}

const findWaiting = () =>
  sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(app.db);

it.each(Object.keys(ACTS))('%s waits for the balance before it holds up live events', async (name) => {
  app.provider.behave({ polls: 0 });
  const user = await makeUser(app, { credits: 5 });
  const act = await ACTS[name]?.(user);
  let done: Promise<unknown> | undefined;
  await transaction(app.db, async (tx) => {
    await lockCredits(tx, user.id);
    done = act?.();
    await waitUntil(findWaiting, ({ rows }) => rows.length > 0);
    // A transaction that holds this row while it waits for the balance would block the one that holds the balance.
    await sql`set local lock_timeout = '500ms'`.execute(tx);
    await sql`select from users where id = ${user.id} for no key update`.execute(tx);
  });
  await expect(done).resolves.toBeDefined();
});

it('whatever a user creates during account deletion waits for it and leaves nothing behind', async () => {
  const user = await makeUser(app);
  await sql`insert into identities (issuer, subject, user_id) values ('held', ${user.id}, ${user.id})`.execute(app.db);
  const send = (path: string, body: object, method = 'POST') =>
    user.fetch(`/api/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  let answered = 0;
  let ending: Promise<unknown> | undefined;
  const made: Promise<Response>[] = [];
  await transaction(app.db, async (tx) => {
    await sql`select from identities where user_id = ${user.id} for update`.execute(tx);
    ending = deleteUser(user);
    await waitUntil(findWaiting, ({ rows }) => rows.length === 1);
    made.push(
      send('looks', { name: 'Late' }),
      send('keys', { name: 'Late' }),
      send('webhook-endpoints', { url: 'https://93.184.216.34/', events: ['run.finished'] }),
      send('account/billing', { company: 'Late' }, 'PUT'),
    );
    for (const one of made) void one.then(() => (answered += 1));
    await waitUntil(findWaiting, ({ rows }) => rows.length + answered === 1 + made.length);
  });
  await ending;
  await Promise.all(made);
  const left = await sql`
    select 'look' from looks where user_id = ${user.id} union all
    select 'key' from api_keys where user_id = ${user.id} union all
    select 'endpoint' from webhook_endpoints where user_id = ${user.id} union all
    select 'billing' from billing_details where user_id = ${user.id}`.execute(app.db);
  expect(left.rows).toEqual([]);
});
