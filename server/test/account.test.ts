import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findOrMakeVerifiedAccount } from '../src/auth/accounts.ts';
import { startSession } from '../src/auth/sessions.ts';
import { findViolations } from '../src/commands/check.ts';
import { lockCredits } from '../src/credits/ledger.ts';
import type { Library } from '../src/media/library.ts';
import { removeOrphans } from '../src/media/orphans.ts';
import { createLog } from '../src/platform/log.ts';
import { transaction } from '../src/platform/data/db.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeEndpoint,
  makeGeneration,
  makePurchase,
  makeUser,
  postJson,
  readCookie,
  redo,
  returnResult,
  signedIn,
  submit,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';
import { expectProblem, filesBelow, listen, makeManualClock, type ManualClock, unzip } from './wire.ts';

const API = '/api/v1';
const ACCOUNT = `${API}/account`;
const clock: ManualClock = makeManualClock();
let app: TestApp;
let library: Library;
beforeAll(async () => {
  app = await startTestApp({ SIGNUP_CREDITS: '3' }, clock);
  const storage = await openStorage({ DATA_DIR: app.dataDir });
  library = { db: app.db, storage, clock, ttlSeconds: 172_800, maxStorageBytes: undefined };
});
afterAll(() => app.close());
afterEach(async () => {
  app.provider.behave({});
  expect(await findViolations(library)).toEqual([]);
});

const remove = (user: TestUser, body?: unknown) =>
  user.fetch(ACCOUNT, {
    method: 'DELETE',
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const signIn = (user: TestUser) =>
  postJson(`${app.url}${API}/auth/sign-in`, { email: user.email, password: user.password });
const filesOf = () => filesBelow(app.dataDir).filter((path) => path.includes('/files/'));

/** A user with a Google identity who signed in this many seconds ago. */
async function makeGoogleUser(secondsAgo = 0): Promise<TestUser> {
  const email = `${randomUUID()}@example.com`;
  const identity = { issuer: 'https://accounts.example', subject: randomUUID(), email };
  const userId = (await findOrMakeVerifiedAccount(app.db, clock, identity, 0)) ?? expect.fail('no account');
  const then = { now: () => new Date(clock.now().getTime() - secondsAgo * 1000) };
  const settings = { clock: then, ttlSeconds: 3600, idleSeconds: 3600, isSecure: false };
  const { token } = await startSession(app.db, settings, { userId, userAgent: '' });
  return signedIn(app, { id: userId, email, password: '', cookie: `session=${token}` });
}

/** Pays at the sandbox checkout, or takes another of its actions. */
async function settle(checkoutUrl: string, action: 'pay' | 'decline'): Promise<void> {
  const token = checkoutUrl.split('/').at(-1) ?? '';
  const answer = await postJson(`${app.url}${API}/sandbox/checkout/${token}`, { action });
  expect(answer.status).toBe(200);
}

async function countRows(table: string, userId: string): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where user_id = ${userId}`.execute(app.db);
  return found.rows[0]?.count ?? -1;
}

describe('deleting an account', () => {
  it('takes away what is private, keeps what was paid, and tells every stream', async () => {
    const user = await makeUser(app, { credits: 10 });
    const purchase = await makePurchase(user);
    await settle(purchase.checkoutUrl, 'pay');
    const made = await makeGeneration(user, { tool: 'text-to-image', prompt: 'on SECRET marble' });
    expect((await waitForEnd(user, made.id)).status).toBe('succeeded');
    const before = filesOf().length;
    const other = signedIn(app, { ...user, cookie: readCookie(await signIn(user)) });
    const streams = [await listen(app, user.cookie), await listen(app, other.cookie)];

    const answer = await remove(user, { password: user.password });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; Max-Age=0; Path=\//)]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const stream of streams) {
      expect((await stream.waitForEvent('session')).body).toEqual({ state: 'ended', reason: 'account_deleted' });
      await waitUntil(async () => stream.isClosed(), Boolean);
    }
    await expectProblem(await user.fetch(`${API}/session`), 'refresh_token_not_found');
    await expectProblem(await other.fetch(`${API}/credits`), 'authentication_required');
    await expectProblem(await signIn(user), 'invalid_credentials');

    expect(filesOf().length).toBe(before - 2);
    for (const table of ['sessions', 'identities', 'idempotency_keys', 'user_events'])
      expect([table, await countRows(table, user.id)]).toEqual([table, 0]);
    const rows = await sql<{ row: string }>`
      select to_jsonb(u)::text as row from users u where id = ${user.id} union all
      select to_jsonb(g)::text from generations g where user_id = ${user.id} union all
      select to_jsonb(l)::text from credit_ledger l where user_id = ${user.id}`.execute(app.db);
    const kept = rows.rows.map(({ row }) => row).join('\n');
    for (const secret of ['SECRET', user.email, 'argon2']) expect(kept).not.toContain(secret);
    const paid = await sql`
      select p.status, p.credits, l.delta from purchases p join credit_ledger l on l.purchase_id = p.id
      where p.user_id = ${user.id}`.execute(app.db);
    expect(paid.rows).toEqual([{ status: 'paid', credits: 20, delta: 20 }]);
  });

  it('leaves the address to a new account, which starts empty', async () => {
    const user = await makeUser(app, { credits: 5 });
    await waitForEnd(user, (await makeGeneration(user)).id);
    expect((await remove(user, { password: user.password })).status).toBe(204);
    const again = await makeUser(app, { email: user.email });
    expect(again.id).not.toBe(user.id);
    expect(await again.credits()).toBe(3);
    for (const list of ['generations', 'media', 'purchases'])
      expect((await again.get<{ items: [] }>(`${API}/${list}`)).items).toEqual([]);
    expect((await again.ledger()).map(({ reason }) => reason)).toEqual(['signup']);
  });

  it('asks for the password, and limits guesses without a look at the address they come from', async () => {
    const user = await makeUser(app);
    for (const body of [undefined, {}, { password: '' }, { password: null }, { password: 7 }]) {
      const problem = await expectProblem(await remove(user, body), 'credentials_required');
      expect(problem.fields?.[0]?.field).toBe('password');
    }
    await expectProblem(await remove(user, { password: user.password, sure: true }), 'unknown_field');
    await expectProblem(await remove(user, [user.password]), 'malformed_request');
    await expectProblem(await remove(user, { password: `${user.password} ` }), 'invalid_credentials');
    expect((await user.fetch(`${API}/session`)).status).toBe(200);
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '0.2' });
    try {
      const guessed = await makeUser(strict);
      for (const guess of ['one', 'two'])
        await expectProblem(await remove(guessed, { password: guess }), 'invalid_credentials');
      const late = await remove(guessed, { password: guessed.password });
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
      await expectProblem(late, 'rate_limited');
      // Attempts count together with those at sign-in.
      const { email, password } = guessed;
      await expectProblem(await postJson(`${strict.url}${API}/auth/sign-in`, { email, password }), 'rate_limited');
      expect((await guessed.fetch(`${API}/session`)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  it('wants a fresh sign-in of those who have no password', async () => {
    const old = await makeGoogleUser(301);
    await expectProblem(await remove(old), 'sign_in_again');
    await expectProblem(await remove(old, { password: 'guess' }), 'sign_in_again');
    expect((await old.fetch(`${API}/auth/refresh`, { method: 'POST' })).status).toBe(200);
    await expectProblem(await remove(old, {}), 'sign_in_again');
    const fresh = await makeGoogleUser(290);
    expect((await remove(fresh)).status).toBe(204);
    const identity = await sql`select 1 from identities where user_id = ${fresh.id}`.execute(app.db);
    expect(identity.rows).toEqual([]);
  });

  it('is refused to visitors and to other sites', async () => {
    const user = await makeUser(app);
    await expectProblem(await fetch(app.url + ACCOUNT, { method: 'DELETE' }), 'authentication_required');
    const foreign = await fetch(app.url + ACCOUNT, {
      method: 'DELETE',
      headers: { cookie: user.cookie, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
      body: JSON.stringify({ password: user.password }),
    });
    await expectProblem(foreign, 'cross_site_request');
    expect((await user.fetch(`${API}/session`)).status).toBe(200);
  });

  it('cancels what runs: nothing of it appears afterwards, and the books stay right', async () => {
    const user = await makeUser(app, { credits: 20 });
    app.provider.behave({ polls: 40 });
    const made = await Promise.all([1, 2, 3].map(() => makeGeneration(user)));
    await waitUntil(
      () =>
        sql<{ n: number }>`select count(*) as n from generations where user_id = ${user.id} and status = 'running'`
          .execute(app.db)
          .then(({ rows }) => rows[0]?.n),
      (running) => running !== undefined && running > 0,
    );
    expect((await remove(user, { password: user.password })).status).toBe(204);
    const jobs = await waitUntil(
      async () => app.provider.submits.filter(({ canceled }) => canceled).length,
      (canceled) => canceled > 0,
    );
    expect(jobs).toBeGreaterThan(0);
    const rows = await sql<{ status: string; input: object }>`
      select status, input from generations where user_id = ${user.id}`.execute(app.db);
    expect(rows.rows).toEqual(made.map(() => ({ status: 'canceled', input: {} })));
    expect(filesOf()).toEqual([]);
  });

  it('happens once, however often it is asked at one time', async () => {
    const user = await makeUser(app, { credits: 4 });
    app.provider.behave({ polls: 1000 });
    await makeGeneration(user);
    const answers = await Promise.all([1, 2, 3, 4].map(() => remove(user, { password: user.password })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(204);
    expect(statuses.filter((status) => status !== 204 && status !== 401)).toEqual([]);
    const refunds = await sql`
      select 1 from credit_ledger where user_id = ${user.id} and reason = 'refund'`.execute(app.db);
    expect(refunds.rows).toHaveLength(1);
  });

  it('leaves nothing open, whatever the person does at the same moment', { tags: ['slow'] }, async () => {
    for (let round = 0; round < 6; round += 1) {
      const user = await makeUser(app, { credits: 30 });
      const first = await waitForEnd(user, (await makeGeneration(user)).id);
      const answers = await Promise.all([
        submit(user),
        redo(user, first.id),
        submit(user),
        remove(user, { password: user.password }),
        submit(user),
        returnResult(user, first.id),
        makePurchase(user).then(
          () => new Response(),
          () => new Response(),
        ),
        redo(user, first.id),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      expect(answers[3]?.status).toBe(204);
      const left = await sql`
        select status, input from generations
        where user_id = ${user.id} and (status in ('queued', 'running') or input <> '{}')`.execute(app.db);
      expect(left.rows).toEqual([]);
    }
    await waitUntil(
      async () => filesOf(),
      (files) => files.length === 0,
    );
  });

  it('is seen by what waited for it: nothing more is taken on', async () => {
    const user = await makeUser(app, { credits: 30 });
    const first = await waitForEnd(user, (await makeGeneration(user)).id);
    const waitFor = (statement: string, number: number) =>
      waitUntil(
        async () => {
          const found = await sql<{ waiting: number }>`
            select count(*) as waiting from pg_stat_activity where datname = current_database()
              and wait_event_type = 'Lock' and query like ${`%${statement}%`} and pid <> pg_backend_pid()`.execute(
            app.db,
          );
          return found.rows[0]?.waiting;
        },
        (waiting) => waiting === number,
      );
    const requests = await transaction(app.db, async (tx) => {
      await lockCredits(tx, user.id);
      const answers = [remove(user, { password: user.password })];
      await waitFor('update user_credits set deleted_at', 1);
      // One waits for the running generation, the other for the balance.
      answers.push(redo(user, first.id), submit(user));
      await waitFor('for update of f', 1);
      await waitFor('get_user_credits_for_update', 1);
      return answers;
    });
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual([204, 401, 401]);
    const made = await sql`select id from generations where user_id = ${user.id}`.execute(app.db);
    expect(made.rows).toEqual([{ id: first.id }]);
    expect(filesOf()).toEqual([]);
  });

  it('puts a payment that comes afterwards under review, and books it nowhere', async () => {
    const user = await makeUser(app);
    const [paid, declined] = [await makePurchase(user), await makePurchase(user, 'basic')];
    expect((await remove(user, { password: user.password })).status).toBe(204);
    const again = await makeUser(app, { email: user.email });
    await settle(paid.checkoutUrl, 'pay');
    await settle(paid.checkoutUrl, 'pay');
    await settle(declined.checkoutUrl, 'decline');
    const purchases = await sql<{ status: string; entries: number }>`
      select p.status, count(l.id) as entries from purchases p left join credit_ledger l on l.purchase_id = p.id
      where p.user_id = ${user.id} group by p.id order by p.created_at`.execute(app.db);
    expect(purchases.rows).toEqual([
      { status: 'review', entries: 0 },
      { status: 'failed', entries: 0 },
    ]);
    expect(await again.credits()).toBe(3);
  });

  it('is done although the storage keeps a file, which goes with the next sweep', async () => {
    const user = await makeUser(app, { credits: 5 });
    await waitForEnd(user, (await makeGeneration(user)).id);
    const stuck = filesOf().find((path) => path.includes('/results/')) ?? '';
    const content = readFileSync(stuck);
    rmSync(stuck);
    // Deleting a folder as if it were a file fails.
    mkdirSync(join(stuck, 'held'), { recursive: true });
    expect((await remove(user, { password: user.password })).status).toBe(204);
    await expectProblem(await user.fetch(`${API}/session`), 'refresh_token_not_found');
    rmSync(stuck, { recursive: true });
    writeFileSync(stuck, content);
    utimesSync(stuck, 0, 0);
    expect(await removeOrphans(library, createLog('error'))).toBe(1);
    expect(filesOf()).toEqual([]);
  });
});

describe('the export', () => {
  const read = <Value>(files: Map<string, Buffer>, name: string) =>
    JSON.parse(files.get(name)?.toString() ?? 'null') as Value[];

  it('holds every kind of row, the files that are there, and no secret', async () => {
    const user = await makeUser(app, { credits: 9 });
    await settle((await makePurchase(user)).checkoutUrl, 'pay');
    const made = await waitForEnd(
      user,
      (await makeGeneration(user, { tool: 'text-to-image', prompt: 'on marble' })).id,
    );
    const endpoint = await makeEndpoint(user, 'https://93.184.216.34/');
    const answer = await user.fetch(`${ACCOUNT}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="plinth-\d{4}-\d\d-\d\d\.zip"$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const files = await unzip(answer);
    expect(read(files, 'account.json')).toMatchObject([
      { id: user.id, email: user.email, hasPassword: true, credits: 31, identities: [] },
    ]);
    expect(read(files, 'sessions.json')).toMatchObject([{ userAgent: expect.any(String) }]);
    expect(read<{ reason: string }>(files, 'credits.json').map(({ reason }) => reason)).toEqual([
      'signup',
      'adjustment',
      'purchase',
      'debit',
    ]);
    expect(read(files, 'purchases.json')).toMatchObject([
      {
        package: 'standard',
        priceCents: 1500,
        messages: [{ type: 'payment.succeeded', outcome: 'processed' }],
        reversals: [],
        receipt: { number: expect.any(String), buyerEmail: user.email },
      },
    ]);
    const [generation] = read<{ uploads: { file: string }[]; result: { id: string; file: string } }>(
      files,
      'generations.json',
    );
    expect(generation).toMatchObject({ id: made.id, tool: 'text-to-image', input: { prompt: 'on marble' } });
    expect(read(files, 'webhooks.json')).toMatchObject([{ id: endpoint.id, url: endpoint.url, deliveries: [] }]);
    expect(read(files, 'requests.json').length).toBeGreaterThan(0);
    expect(read(files, 'events.json').length).toBeGreaterThan(0);
    const content = await user.fetch(made.result?.contentUrl ?? '');
    expect(files.get(generation?.result.file ?? '')).toEqual(Buffer.from(await content.arrayBuffer()));
    expect(files.get(generation?.uploads[0]?.file ?? '')?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    const names = [...files.keys()];
    expect(names.filter((name) => name.includes('/')).sort()).toEqual(
      [generation?.result.file, generation?.uploads[0]?.file].sort(),
    );
    const text = names
      .filter((name) => name.endsWith('.json'))
      .map((name) => files.get(name)?.toString())
      .join();
    for (const secret of [
      'argon2',
      'token',
      'Hash":',
      'objectKey',
      'storagePath',
      endpoint.secret,
      user.cookie.split('=')[1] ?? '-',
    ])
      expect(text).not.toContain(secret);
  });

  it('knows every table that knows a person', async () => {
    const user = await makeUser(app);
    const files = await unzip(await user.fetch(`${ACCOUNT}/export`));
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('user_id', 'purchase_id', 'generation_id')
      group by 1 order by 1`.execute(app.db);
    // Which exported file covers which table. A new table with user data belongs here, and into the deletion.
    const fileOfTable: Record<string, string> = {
      api_keys: 'keys.json',
      billing_details: 'account.json',
      credit_ledger: 'credits.json',
      generated_media: 'generations.json',
      generations: 'generations.json',
      idempotency_keys: 'requests.json',
      identities: 'account.json',
      looks: 'looks.json',
      purchase_reversals: 'purchases.json',
      purchases: 'purchases.json',
      receipts: 'purchases.json',
      run_items: 'runs.json',
      runs: 'runs.json',
      sessions: 'sessions.json',
      uploads: 'generations.json',
      user_credits: 'account.json',
      user_events: 'events.json',
      webhook_endpoints: 'webhooks.json',
      webhook_events: 'purchases.json',
    };
    expect(tables.rows.map(({ name }) => name)).toEqual(Object.keys(fileOfTable));
    for (const file of Object.values(fileOfTable)) expect([...files.keys()]).toContain(file);
  });

  it('is of one person only, and leaves out what is past its time', async () => {
    const [user, neighbour] = [await makeUser(app, { credits: 5 }), await makeUser(app, { credits: 5 })];
    for (const one of [user, neighbour])
      await waitForEnd(one, (await makeGeneration(one, { tool: 'text-to-image', prompt: `words of ${one.id}` })).id);
    const files = await unzip(await user.fetch(`${ACCOUNT}/export`));
    const text = [...files.values()].map(String).join();
    expect(text).toContain(`words of ${user.id}`);
    expect(text).not.toContain(neighbour.id);
    expect(text).not.toContain(neighbour.email);
    await sql`update generations set created_at = created_at - interval '49 hours' where user_id = ${user.id}`.execute(
      app.db,
    );
    await sql`update uploads set created_at = created_at - interval '49 hours' where user_id = ${user.id}`.execute(
      app.db,
    );
    await sql`update generated_media set created_at = created_at - interval '49 hours' where user_id = ${user.id}`.execute(
      app.db,
    );
    const late = await unzip(await user.fetch(`${ACCOUNT}/export`));
    expect([...late.keys()].filter((name) => name.includes('/'))).toEqual([]);
    expect(late.get('generations.json')?.toString()).not.toContain('words of');
  });

  it('comes whole however many rows there are, in the order of time', async () => {
    const user = await makeUser(app);
    await sql`
      insert into sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at, expires_at, ended_at)
      select 'ses_' || n || ${user.id}, sha256((n || ${user.id})::bytea), ${user.id}, '',
        now() - (n / 3) * interval '1 second', now(), now(), now() from generate_series(1, 950) n`.execute(app.db);
    const rows = read<{ id: string; createdAt: string }>(
      await unzip(await user.fetch(`${ACCOUNT}/export`)),
      'sessions.json',
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(951);
    const times = rows.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
  });

  it('is for the signed in, in bounds, and HEAD sends no body', async () => {
    await expectProblem(await fetch(`${app.url}${ACCOUNT}/export`), 'authentication_required');
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '0.2' });
    try {
      const user = await makeUser(strict);
      const head = await user.fetch(`${ACCOUNT}/export`, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
      expect((await user.fetch(`${ACCOUNT}/export`)).status).toBe(200);
      await expectProblem(await user.fetch(`${ACCOUNT}/export`), 'rate_limited');
    } finally {
      await strict.close();
    }
  });

  it('holds nobody up while its reader is slow, and no connection to the database', { tags: ['slow'] }, async () => {
    const user = await makeUser(app);
    await sql`
      insert into user_events (user_id, seq, name, body)
      select ${user.id}, 1000 + n, 'credits', jsonb_build_object('text', (select string_agg(md5(n::text || i), '') from generate_series(1, 200) i))
      from generate_series(1, 3000) n`.execute(app.db);
    const sockets = Array.from({ length: 30 }, () => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      socket.write(`GET ${ACCOUNT}/export HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\n\r\n`);
      return socket;
    });
    // Each client starts reading and then stops.
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    // Longer than any of the product's own queries.
    const countBusy = async () => {
      const found = await sql<{ busy: number }>`
        select count(*) as busy from pg_stat_activity where datname = current_database() and state <> 'idle'
          and pid <> pg_backend_pid() and xact_start < clock_timestamp() - interval '1 second'`.execute(app.db);
      return found.rows[0]?.busy;
    };
    await waitUntil(countBusy, (busy) => busy === 0);
    // A request that waits too long for a connection gets 503.
    for (let round = 0; round < 10; round += 1) expect((await user.fetch(`${API}/credits`)).status).toBe(200);
    await waitUntil(countBusy, (busy) => busy === 0);
    for (const socket of sockets) socket.destroy();
    const whole = await unzip(await user.fetch(`${ACCOUNT}/export`));
    expect(read(whole, 'events.json')).toHaveLength(3000);
  });
});
