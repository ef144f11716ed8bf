import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeEndpoint,
  makeGeneration,
  makeItem,
  makeKey,
  makePicture,
  makePurchase,
  makeRun,
  makeUser,
  postJson,
  submit,
  type TestUser,
  waitForEnd,
  waitForRun,
  waitUntil,
} from './makers.ts';
import { expectDescribed } from './described.ts';
import { describeAnswer } from './wire.ts';

/** Every route × every caller who is not the owner. A route that is missing here fails the first test. */

type Kind =
  /** Answers the same to everybody. */
  | 'everybody'
  /** Needs a session and only concerns its user. */
  | 'signed in'
  /** Names an object that does not exist for anybody but its owner. */
  | 'owner'
  /** Carries its own proof: a password, a signature, or an unguessable token. */
  | 'proof';
type Route = { kind: Kind; body?: object; query?: string; headers?: Record<string, string>; ownerGets?: number };

const IDEMPOTENT = { 'idempotency-key': 'isolation' };
const LAST = { 'last-event-id': '0' };
// Nothing listens there.
const WEBHOOK_URL = 'http://127.0.0.1:1/';
const PASSWORDS = { newPassword: 'n3w-secret', confirmPassword: 'n3w-secret' };

/** HEAD behaves like GET. */
const ROUTES: Record<string, Route> = {
  'DELETE /api/v1/account': { kind: 'signed in', body: { password: 's3cret-enough' } },
  'GET /api/v1/account/export': { kind: 'signed in' },
  'GET /api/v1/auth/options': { kind: 'everybody' },
  'POST /api/v1/auth/password': { kind: 'signed in', body: PASSWORDS },
  'POST /api/v1/auth/refresh': { kind: 'signed in' },
  'GET /api/v1/auth/sessions': { kind: 'signed in' },
  'DELETE /api/v1/auth/sessions': { kind: 'signed in' },
  'DELETE /api/v1/auth/sessions/:id': { kind: 'owner' },
  'GET /api/v1/account/billing': { kind: 'signed in' },
  'PUT /api/v1/account/billing': { kind: 'signed in' },
  'GET /.well-known/oauth-protected-resource': { kind: 'everybody' },
  'GET /.well-known/oauth-protected-resource/mcp': { kind: 'everybody' },
  'POST /api/v1/auth/sign-in': { kind: 'proof', body: { email: 'nobody@example.com', password: 'guessed' } },
  'POST /api/v1/auth/sign-out': { kind: 'everybody' },
  'POST /api/v1/auth/sign-up': { kind: 'proof', body: { email: 'no address', password: 'guessed' } },
  'GET /api/v1/credits': { kind: 'signed in' },
  'GET /api/v1/credits/history': { kind: 'signed in' },
  'GET /api/v1/credits/statement': { kind: 'signed in' },
  'GET /api/v1/events': { kind: 'signed in', headers: LAST },
  'GET /api/v1/keys': { kind: 'signed in' },
  'POST /api/v1/keys': { kind: 'signed in', body: { name: 'Guessed' } },
  'DELETE /api/v1/keys/:id': { kind: 'owner' },
  'GET /api/v1/generations': { kind: 'signed in' },
  'GET /api/v1/generations/:id': { kind: 'owner' },
  'GET /api/v1/generations/:id/before': { kind: 'owner', query: '?width=320' },
  'POST /api/v1/generations/:id/cancel': { kind: 'owner', ownerGets: 409 },
  'POST /api/v1/generations/:id/redo': { kind: 'owner', headers: IDEMPOTENT, ownerGets: 202 },
  'POST /api/v1/generations/:id/return': { kind: 'owner', body: { reason: 'edges' } },
  'GET /api/v1/headshot-models': { kind: 'signed in' },
  'GET /api/v1/media': { kind: 'signed in' },
  'DELETE /api/v1/media/:id': { kind: 'owner', ownerGets: 204 },
  'GET /api/v1/media/:id': { kind: 'owner' },
  // Of a small picture without transparency.
  'GET /api/v1/media/:id/checks': { kind: 'owner' },
  'GET /api/v1/media/:id/packs/:pack': { kind: 'owner', ownerGets: 422 },
  'GET /api/v1/media/:id/packs/:pack/preview': { kind: 'owner' },
  'GET /api/v1/media/:id/packshot': { kind: 'owner', ownerGets: 422 },
  'GET /api/v1/media/:id/packshot/preview': { kind: 'owner', query: '?settings=%7B%7D', ownerGets: 422 },
  // Not a clip.
  'GET /api/v1/media/:id/poster': { kind: 'owner', ownerGets: 404 },
  'GET /api/v1/media/:id/content': { kind: 'owner' },
  'GET /api/v1/media/:id/download': { kind: 'owner' },
  'GET /api/v1/media/:id/preview': { kind: 'owner', query: '?width=320' },
  'GET /api/v1/media/archive': { kind: 'owner', query: '?ids={media}' },
  'GET /api/v1/media/receipts': { kind: 'signed in' },
  'POST /api/v1/checks': { kind: 'signed in' },
  // Without a form.
  'POST /api/v1/verify': { kind: 'proof', ownerGets: 415 },
  'POST /api/v1/subject': { kind: 'signed in' },
  'GET /api/v1/looks': { kind: 'signed in' },
  'POST /api/v1/looks': { kind: 'signed in', body: { name: 'Guessed' } },
  'PUT /api/v1/looks/:id': { kind: 'owner', body: { name: 'Guessed' } },
  'DELETE /api/v1/looks/:id': { kind: 'owner', ownerGets: 204 },
  'GET /api/v1/packs': { kind: 'everybody' },
  'GET /api/v1/openapi.json': { kind: 'everybody' },
  'GET /api/v1/packages': { kind: 'everybody' },
  'GET /api/v1/purchases': { kind: 'signed in' },
  'POST /api/v1/purchases': { kind: 'signed in', headers: IDEMPOTENT, body: { package: 'basic' } },
  'GET /api/v1/purchases/:id': { kind: 'owner' },
  'GET /api/v1/purchases/:id/receipt': { kind: 'owner' },
  'GET /api/v1/purchases/:id/receipt.pdf': { kind: 'owner' },
  'GET /api/v1/runs': { kind: 'signed in' },
  'POST /api/v1/runs': { kind: 'signed in', headers: IDEMPOTENT, body: { name: 'Guessed', tool: 'remover' } },
  'GET /api/v1/runs/:id': { kind: 'owner' },
  'GET /api/v1/runs/:id/archive': { kind: 'owner' },
  'POST /api/v1/runs/:id/cancel': { kind: 'owner' },
  'POST /api/v1/runs/:id/close': { kind: 'owner' },
  'GET /api/v1/runs/:id/items': { kind: 'owner' },
  // Without a form.
  'POST /api/v1/runs/:id/items': { kind: 'owner', headers: IDEMPOTENT, ownerGets: 415 },
  'DELETE /api/v1/runs/:id/items/:itemId': { kind: 'owner', ownerGets: 204 },
  'POST /api/v1/runs/:id/retry': { kind: 'owner', ownerGets: 202 },
  'POST /api/v1/sandbox/checkout/:token': { kind: 'proof', body: { action: 'pay' } },
  'GET /api/v1/scenes': { kind: 'everybody' },
  'GET /api/v1/session': { kind: 'signed in' },
  'GET /api/v1/signers': { kind: 'everybody' },
  'GET /api/v1/status': { kind: 'everybody' },
  'GET /api/v1/tools': { kind: 'everybody' },
  'POST /api/v1/tools/:tool/generations': { kind: 'signed in', headers: IDEMPOTENT },
  'GET /api/v1/webhook-endpoints': { kind: 'signed in' },
  'POST /api/v1/webhook-endpoints': { kind: 'signed in', body: { url: WEBHOOK_URL, events: ['run.finished'] } },
  'DELETE /api/v1/webhook-endpoints/:id': { kind: 'owner', ownerGets: 204 },
  'GET /api/v1/webhook-endpoints/:id/deliveries': { kind: 'owner' },
  // Nothing was sent to it; webhook-endpoints.test.ts covers endpoints with messages.
  'GET /api/v1/webhook-endpoints/:id/deliveries/:deliveryId': { kind: 'owner', ownerGets: 404 },
  'POST /api/v1/webhook-endpoints/:id/deliveries/:deliveryId/again': { kind: 'owner', ownerGets: 404 },
  'POST /api/v1/webhook-endpoints/:id/test': { kind: 'owner', ownerGets: 202 },
  'GET /assets/headshot-models/:file': { kind: 'everybody' },
  'GET /assets/scenes/:file': { kind: 'everybody' },
  'GET /auth/google/callback': { kind: 'proof', query: '?code=guessed&state=guessed' },
  'GET /auth/google/start': { kind: 'proof' },
  'GET /healthz': { kind: 'everybody' },
  'GET /local-google/*': { kind: 'proof' },
  'POST /local-google/*': { kind: 'proof' },
  'GET /local-google/interaction/:uid': { kind: 'proof' },
  'POST /local-google/interaction/:uid': { kind: 'proof' },
  'POST /mcp': { kind: 'signed in', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'GET /readyz': { kind: 'everybody' },
  'GET /robots.txt': { kind: 'everybody' },
  'GET /sandbox/checkout.js': { kind: 'everybody' },
  'GET /sandbox/checkout/:token': { kind: 'proof' },
  'GET /sitemap.xml': { kind: 'everybody' },
  'POST /webhooks/sandbox': { kind: 'proof', body: { type: 'payment.succeeded' } },
};

let app: TestApp;
let owned: Owned;
let strangers: Record<'other' | 'visitor' | 'signed out' | 'deleted' | 'with a wrong key', Ask>;
type Ask = (path: string, init?: RequestInit) => Promise<Response>;

beforeAll(async () => {
  app = await startTestApp({ FREE_REDOS: '3', RETURN_PROVIDER_RESULTS: 'true', WEBHOOK_HOSTS: '127.0.0.1:1' });
  owned = await makeOwned();
  const [left, gone, other] = [await makeUser(app), await makeUser(app), await makeUser(app, { credits: 3 })];
  await left.fetch('/api/v1/auth/sign-out', { method: 'POST' });
  await gone.fetch('/api/v1/account', {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: gone.password }),
  });
  strangers = {
    other: other.fetch,
    visitor: (path, init) => fetch(app.url + path, init),
    'signed out': left.fetch,
    deleted: gone.fetch,
    'with a wrong key': (path, init) =>
      fetch(app.url + path, { ...init, headers: { ...init?.headers, authorization: 'Bearer plk_wrong' } }),
  };
});
afterAll(() => app.close());

type Owned = {
  user: TestUser;
  /** By the part of the path before `:id`. */
  ids: Record<string, string>;
  rows: string;
  /** Every long text in this user's rows: ids, address, words, keys, tokens. */
  marks: string[];
};

/** Creates a user with one object of every kind. */
async function makeOwned(): Promise<Owned> {
  const user = await makeUser(app, { credits: 5 });
  const prompt = `on a table ${randomBytes(12).toString('hex')}`;
  const made = await waitForEnd(user, (await makeGeneration(user, { tool: 'text-to-image', prompt })).id);
  const purchase = await makePurchase(user);
  const token = purchase.checkoutUrl?.split('/').at(-1) ?? '';
  await postJson(`${app.url}/api/v1/sandbox/checkout/${token}`, { action: 'pay' });
  const run = await makeRun(user);
  const item = await makeItem(user, run.id, { sku: 'M-01' });
  await waitForRun(user, run.id);
  // The owner is notified of the last item a moment later.
  await waitUntil(
    async () => (await sql`select from runs where id = ${run.id} and is_news`.execute(app.db)).rows.length,
    (waiting) => waiting === 0,
  );
  const sessions = await user.get<{ items: { id: string }[] }>('/api/v1/auth/sessions');
  const endpoint = await makeEndpoint(user, WEBHOOK_URL);
  const answer = await postJson(`${app.url}/api/v1/looks`, { name: 'Shadow' }, { cookie: user.cookie });
  const look = (await answer.json()) as { id: string };
  const ids = {
    generations: made.id,
    media: made.result?.mediaId ?? '',
    purchases: purchase.id,
    runs: run.id,
    items: item.id,
    sessions: sessions.items[0]?.id ?? '',
    keys: (await makeKey(app, user)).id,
    'webhook-endpoints': endpoint.id,
    looks: look.id,
  };
  const rows = await readRows(user.id);
  const marks = [...new Set([...rows.matchAll(/"([^"\\]{20,})"/g)].map(([, text]) => text ?? ''))].filter(
    (text) => !/^\d{4}-\d\d-\d\d[T ]/.test(text),
  );
  for (const own of [user.id, user.email, prompt, token, ...Object.values(ids)])
    expect(
      marks.some((mark) => mark.includes(own)),
      own,
    ).toBe(true);
  return { user, ids, rows, marks };
}

/** All of one user's data in the database, as text, except times of last use. */
async function readRows(userId: string): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'user_id' order by 1`.execute(app.db);
  const rows: unknown[] = [];
  for (const { name } of tables.rows) {
    const found = await sql<{ row: object }>`
      select to_jsonb(t) - 'last_seen_at' as row from ${sql.table(name)} t where user_id = ${userId} order by t::text`.execute(
      app.db,
    );
    rows.push(name, found.rows);
  }
  const own = await sql`select to_jsonb(u) as row from users u where id = ${userId}`.execute(app.db);
  return JSON.stringify([...rows, own.rows]);
}

const UNKNOWN: Record<string, string> = {
  generations: 'gen_AAAAAAAAAAAAAAAAAAAAAA',
  media: 'med_AAAAAAAAAAAAAAAAAAAAAA',
  purchases: 'pur_AAAAAAAAAAAAAAAAAAAAAA',
  runs: 'run_AAAAAAAAAAAAAAAAAAAAAA',
  items: 'itm_AAAAAAAAAAAAAAAAAAAAAA',
  sessions: 'ses_AAAAAAAAAAAAAAAAAAAAAA',
  keys: 'key_AAAAAAAAAAAAAAAAAAAAAA',
  'webhook-endpoints': 'whe_AAAAAAAAAAAAAAAAAAAAAA',
  looks: 'look_AAAAAAAAAAAAAAAAAAAAAA',
};

function request(name: string, ids: Record<string, string>): { path: string; init: RequestInit } {
  const [method = '', url = ''] = name.split(' ');
  const { body, query = '', headers } = ROUTES[name.replace('HEAD', 'GET')] ?? {};
  const path = url
    .replace(/([\w-]+)\/:id/, (_all, kind: string) => `${kind}/${ids[kind]}`)
    .replace(/:itemId/, `${ids.items}`)
    .replace(/:pack/, 'shopify')
    .replace(/:tool/, 'remover')
    .replace(/[:*]\w*/g, 'guessed');
  const init = {
    method,
    redirect: 'manual' as const,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  return { path: path + query.replace('{media}', ids.media ?? ''), init };
}

/** Headers and body as one text; of a stream only its immediate output. */
async function readAll(answer: Response): Promise<string> {
  const head = [...answer.headers].map((pair) => pair.join(': ')).join('\n');
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return `${head}\n${Buffer.from(await answer.arrayBuffer()).toString('latin1')}`;
  const reader = answer.body?.getReader();
  let text = head;
  for (let at = 0; at < 3; at += 1) {
    const chunk = await Promise.race([reader?.read(), sleep(200)]);
    text += Buffer.from(chunk?.value ?? []).toString();
  }
  await reader?.cancel();
  return text;
}

function expectNothingOf(marks: string[], text: string): void {
  expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
}

const isSafe = (name: string) => /^(GET|HEAD) /.test(name);
const allNames = Object.keys(ROUTES).flatMap((name) =>
  name.startsWith('GET') ? [name, name.replace('GET', 'HEAD')] : [name],
);
const named = (kind: Kind) => allNames.filter((name) => ROUTES[name.replace('HEAD', 'GET')]?.kind === kind);

/** HEAD has no body, and a stream does not end. */
const isSpoken = (name: string) => !name.startsWith('HEAD') && !name.endsWith('/events');

describe('the matrix', () => {
  it('names every route of the running server, and no other', () => {
    expect(allNames.toSorted()).toEqual([...new Set(app.routes)]);
  });
});

describe.each(named('owner'))('%s', (name) => {
  it('does not exist for somebody else, and asks all others who they are', async () => {
    for (const [who, ask] of Object.entries(strangers)) {
      const [own, unknown] = [request(name, owned.ids), request(name, UNKNOWN)];
      const answer = await ask(own.path, own.init);
      expect([who, answer.status]).toEqual([who, who === 'other' ? 404 : 401]);
      const copy = answer.clone();
      if (isSpoken(name)) await expectDescribed(name, answer.clone());
      expectNothingOf(owned.marks, await readAll(answer));
      expect(await describeAnswer(copy)).toEqual(await describeAnswer(await ask(unknown.path, unknown.init)));
    }
    expect(await readRows(owned.user.id)).toBe(owned.rows);
  });
});

// Each changes only its own objects, so they can run in parallel.
describe.concurrent.each(named('owner'))('%s', (name) => {
  it('works for the owner', async () => {
    const { user, ids } = isSafe(name) ? owned : await makeOwned();
    const { path, init } = request(name, ids);
    const answer = await user.fetch(path, init);
    const wanted = ROUTES[name.replace('HEAD', 'GET')]?.ownerGets;
    if (wanted === undefined) expect(answer.ok).toBe(true);
    else expect(answer.status).toBe(wanted);
    if (isSpoken(name)) await expectDescribed(name, answer);
    else await answer.arrayBuffer();
  });
});

describe.each(named('signed in'))('%s', (name) => {
  it('asks everybody who he is, and says nothing of others', async () => {
    const { path, init } = request(name, owned.ids);
    for (const [who, ask] of Object.entries(strangers)) {
      // Some of them end the account or the session.
      const another = who === 'other' && !isSafe(name) ? (await makeUser(app)).fetch : ask;
      const answer = await another(path, init);
      if (who === 'other') expect([403, 404].includes(answer.status) || answer.status >= 500).toBe(false);
      else expect([who, answer.status]).toEqual([who, 401]);
      if (isSpoken(name)) await expectDescribed(name, answer.clone());
      expectNothingOf(owned.marks, await readAll(answer));
    }
    expect(await readRows(owned.user.id)).toBe(owned.rows);
  });
});

describe.each([...named('everybody'), ...named('proof')])('%s', (name) => {
  it('says and changes nothing of anybody', async () => {
    const { path, init } = request(name, owned.ids);
    const statuses = new Set<number>();
    for (const [who, ask] of Object.entries(strangers)) {
      const another = who === 'other' && !isSafe(name) ? (await makeUser(app)).fetch : ask;
      const answer = await another(path, init);
      expect(answer.status).toBeLessThan(500);
      if (isSpoken(name)) await expectDescribed(name, answer.clone());
      if (who !== 'with a wrong key' || answer.status !== 401) statuses.add(answer.status);
      expectNothingOf(owned.marks, await readAll(answer));
    }
    expect(statuses.size).toBe(1);
    expect(await readRows(owned.user.id)).toBe(owned.rows);
  });
});

describe.each(named('signed in').filter((name) => name.startsWith('GET') && isSpoken(name)))('%s', (name) => {
  it('tells its owner what the document says', async () => {
    const { path, init } = request(name, owned.ids);
    await expectDescribed(name, await owned.user.fetch(path, init));
  });
});

describe('what belongs to somebody else', () => {
  it('is shown to its owner by the lists that say nothing to others: the marks are the right ones', async () => {
    for (const list of [
      'credits/history',
      'generations',
      'media',
      'purchases',
      'runs',
      'session',
      'auth/sessions',
      'keys',
      'webhook-endpoints',
      'looks',
    ]) {
      const text = await readAll(await owned.user.fetch(`/api/v1/${list}`));
      expect(
        owned.marks.some((mark) => text.includes(mark)),
        list,
      ).toBe(true);
    }
  });

  it('cannot be used as the picture of a generation', async () => {
    const other = await makeUser(app, { credits: 1 });
    const ask = (mediaId: string) => {
      const form = new FormData();
      form.set('image', mediaId);
      return other.fetch('/api/v1/tools/remover/generations', { method: 'POST', headers: IDEMPOTENT, body: form });
    };
    const answer = await ask(owned.ids.media ?? '');
    expect(answer.status).toBe(422);
    expect(await describeAnswer(answer)).toEqual(await describeAnswer(await ask(UNKNOWN.media ?? '')));
    expect(await other.credits()).toBe(1);
  });

  it('is not found by the same key of a request, and no cursor leads to it', async () => {
    const other = await makeUser(app, { credits: 1 });
    const image = await makePicture();
    const key = randomBytes(8).toString('hex');
    const [mine, his] = [await submit(owned.user, { key, image }), await submit(other, { key, image })];
    expect([mine.status, his.status, his.headers.get('idempotency-replayed')]).toEqual([202, 202, null]);
    const [a, b] = [(await mine.json()) as { id: string }, (await his.json()) as { id: string }];
    expect(a.id).not.toBe(b.id);
    await waitForEnd(owned.user, a.id);
    for (const list of ['credits/history', 'generations', 'media', 'runs']) {
      const page = await owned.user.get<{ nextCursor: string }>(`/api/v1/${list}?limit=1`);
      const text = await readAll(await other.fetch(`/api/v1/${list}?cursor=${page.nextCursor}`));
      expectNothingOf(owned.marks, text);
    }
  });
});
