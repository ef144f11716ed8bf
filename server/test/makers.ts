import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@plinth/contract/auth';
import type { LedgerEntry } from '@plinth/contract/credits';
import type { Generation } from '@plinth/contract/generations';
import { findTool } from '@plinth/contract/tools';
import type { NewApiKey } from '@plinth/contract/keys';
import type { Page } from '@plinth/contract/paging';
import type { Purchase } from '@plinth/contract/payments';
import type { Run, RunItem } from '@plinth/contract/runs';
import { type NewWebhookEndpoint, type WebhookEvent, webhookEvents } from '@plinth/contract/webhooks';
import sharp from 'sharp';
import { adjustCredits } from '../src/credits/ledger.ts';
import { makeAccount } from '../src/auth/accounts.ts';
import { hashPassword } from '../src/auth/passwords.ts';
import { type SessionSettings, startSession } from '../src/auth/sessions.ts';
import { type Db, transaction } from '../src/platform/data/db.ts';
import type { TestApp } from './app.ts';

/** Where a user is made: an app in this process, or the product as a separate process. */
type AppHandle = Pick<TestApp, 'url' | 'db'> & Partial<Pick<TestApp, 'sessions' | 'welcomeCredits'>>;

/** A signed-in user, who sends requests with a session cookie. */
export type TestUser = {
  id: string;
  email: string;
  password: string;
  cookie: string;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  get: <Body>(path: string) => Promise<Body>;
  credits: () => Promise<number>;
  ledger: () => Promise<LedgerEntry[]>;
};

const PASSWORD = 's3cret-enough';
let passwordHash: Promise<string> | undefined;

/** A signed-up user, written by the app in this process; hashing each password would be most of a test's time. */
export async function makeUser(app: AppHandle, options: { credits?: number; email?: string } = {}): Promise<TestUser> {
  const email = options.email ?? `${randomBytes(6).toString('hex')}@example.com`;
  const { sessions, welcomeCredits = 0 } = app;
  const made =
    sessions === undefined ? await signUp(app, email) : await insertAccount(app.db, sessions, welcomeCredits, email);
  const { id: userId } = made;
  const credits = options.credits ?? 0;
  if (credits > 0) await transaction(app.db, (tx) => adjustCredits(tx, { userId, credits, note: 'for a test' }));
  return signedIn(app, { ...made, email, password: PASSWORD });
}

async function signUp(app: AppHandle, email: string): Promise<{ id: string; cookie: string }> {
  const response = await postJson(`${app.url}/api/v1/auth/sign-up`, { email, password: PASSWORD });
  if (response.status !== 201) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const session = (await response.json()) as Session;
  return { id: session.user.id, cookie: readCookie(response) };
}

async function insertAccount(db: Db, sessions: SessionSettings, welcomeCredits: number, email: string) {
  const account = { email, passwordHash: await (passwordHash ??= hashPassword(PASSWORD)), emailVerified: false };
  const id = await transaction(db, (tx) => makeAccount(tx, sessions.clock, { ...account, welcomeCredits }));
  const { token } = await startSession(db, sessions, { userId: id, userAgent: 'node' });
  return { id, cookie: `${sessions.isSecure ? '__Host-' : ''}session=${token}` };
}

export function signedIn(
  app: Pick<TestApp, 'url'>,
  user: Pick<TestUser, 'id' | 'email' | 'password' | 'cookie'>,
): TestUser {
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${app.url}${path}`, {
      ...init,
      headers: { cookie: user.cookie, ...(init.headers as Record<string, string>) },
    });
  const get = async <Body>(path: string) => (await (await send(path)).json()) as Body;
  return {
    ...user,
    fetch: send,
    get,
    credits: async () => (await get<{ credits: number }>('/api/v1/credits')).credits,
    ledger: async () => (await get<Page<LedgerEntry>>('/api/v1/credits/history?limit=100')).items,
  };
}

export function readCookie(response: Response): string {
  const cookie = response.headers.getSetCookie().find((one) => /^(session|__Host-session)=/.test(one));
  return cookie?.split(';')[0] ?? '';
}

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** An API key of this user, and `fetch` with it. */
type TestKey = { id: string; secret: string; fetch: TestUser['fetch'] };

export async function makeKey(app: Pick<TestApp, 'url'>, user: TestUser, name = 'a program'): Promise<TestKey> {
  const answer = await postJson(`${app.url}/api/v1/keys`, { name }, { cookie: user.cookie });
  const { id, secret = '' } = (await answer.json()) as NewApiKey;
  const headers = { authorization: `Bearer ${secret}` };
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${app.url}${path}`, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } });
  return { id, secret, fetch: send };
}

let pictures = 0;

/** A new small JPEG on each call. */
export async function makePicture(width = 96, height = 72): Promise<Buffer> {
  pictures += 1;
  const background = { r: pictures % 256, g: (pictures * 7) % 256, b: 200 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

type SubmitOptions = {
  tool?: string;
  key?: string;
  /** For every text field of the tool; by default those fields are left out of the form. */
  prompt?: string;
  /** For every picture field; by default a new picture each. */
  image?: Buffer;
  type?: string;
  marks?: object;
  placement?: string;
  variant?: string;
};

/** Submits a generation; by default a background removal with a new key and picture. */
export async function submit(user: TestUser, options: SubmitOptions = {}): Promise<Response> {
  const tool = options.tool ?? 'remover';
  const form = new FormData();
  const fields = findTool(tool)?.fields ?? { image: { kind: 'image' } };
  for (const [name, { kind }] of Object.entries(fields)) {
    if (kind === 'image') form.set(name, await toPart(options), 'photo.jpg');
    if (kind === 'text' && options.prompt !== undefined) form.set(name, options.prompt);
    if (kind === 'model') form.set(name, await findModelId(user));
    if (kind === 'marks' && options.marks !== undefined) form.set(name, JSON.stringify(options.marks));
    if (kind === 'placement' && options.placement !== undefined) form.set(name, options.placement);
    if (kind === 'variant' && options.variant !== undefined) form.set(name, options.variant);
  }
  return user.fetch(`/api/v1/tools/${tool}/generations`, {
    method: 'POST',
    headers: { 'idempotency-key': options.key ?? randomUUID() },
    body: form,
  });
}

async function toPart({ image, type }: SubmitOptions): Promise<Blob> {
  return new Blob([new Uint8Array(image ?? (await makePicture()))], { type: type ?? 'image/jpeg' });
}

/** The id of the first stock portrait. */
export async function findModelId(user: TestUser): Promise<string> {
  const { items } = await user.get<{ items: { id: string }[] }>('/api/v1/headshot-models');
  return items[0]?.id ?? '';
}

/** Submits a generation that must be accepted. */
export async function makeGeneration(user: TestUser, options: SubmitOptions = {}): Promise<Generation> {
  const response = await submit(user, options);
  if (response.status !== 202)
    throw new Error(`the generation was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Generation;
}

/** Requests a free redo with its changes. */
export function redo(user: TestUser, generationId: string, change?: object, key: string = randomUUID()) {
  return user.fetch(`/api/v1/generations/${generationId}/redo`, {
    method: 'POST',
    headers: { 'idempotency-key': key, ...(change && { 'content-type': 'application/json' }) },
    ...(change && { body: JSON.stringify(change) }),
  });
}

/** Makes a redo that must be accepted, and waits for its end. */
export async function makeRedo(user: TestUser, generationId: string, change?: object): Promise<Generation> {
  const response = await redo(user, generationId, change);
  if (response.status !== 202) throw new Error(`the redo was answered ${response.status}: ${await response.text()}`);
  return waitForEnd(user, ((await response.json()) as Generation).id);
}

/** Requests a refund for an unusable result. */
export function returnResult(
  user: TestUser,
  generationId: string,
  reason: unknown = 'edges',
  headers: Record<string, string> = {},
): Promise<Response> {
  return user.fetch(`/api/v1/generations/${generationId}/return`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ reason }),
  });
}

/** Requests a run; by default a background removal of many pictures. */
export function openRun(user: TestUser, fields: object = {}, key: string = randomUUID()): Promise<Response> {
  return user.fetch('/api/v1/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name: 'Autumn mugs', tool: 'remover', ...fields }),
  });
}

/** Makes a run that must be accepted. */
export async function makeRun(user: TestUser, fields: object = {}): Promise<Run> {
  const response = await openRun(user, fields);
  if (response.status !== 201) throw new Error(`the run was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Run;
}

type ItemOptions = {
  sku?: string;
  filename?: string;
  key?: string;
  image?: Buffer;
  /** Further text fields of the form. */
  texts?: Record<string, string>;
};

/** Submits an item of a run; by default with a new key and picture. */
export async function submitItem(user: TestUser, runId: string, options: ItemOptions = {}): Promise<Response> {
  const form = new FormData();
  form.set('image', await toPart(options), options.filename ?? 'photo.jpg');
  if (options.sku !== undefined) form.set('sku', options.sku);
  for (const [name, text] of Object.entries(options.texts ?? {})) form.set(name, text);
  return user.fetch(`/api/v1/runs/${runId}/items`, {
    method: 'POST',
    headers: { 'idempotency-key': options.key ?? randomUUID() },
    body: form,
  });
}

/** Makes an item that must be accepted. */
export async function makeItem(user: TestUser, runId: string, options: ItemOptions = {}): Promise<RunItem> {
  const response = await submitItem(user, runId, options);
  if (response.status !== 202) throw new Error(`the item was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as RunItem;
}

/** Waits until none of the run's items is queued or running. */
export function waitForRun(user: TestUser, runId: string, timeoutMs = 20_000): Promise<Run> {
  return waitUntil(
    () => user.get<Run>(`/api/v1/runs/${runId}`),
    ({ counts }) => counts.queued + counts.running === 0,
    timeoutMs,
  );
}

/** Requests a webhook endpoint. */
export function addEndpoint(user: TestUser, fields: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return user.fetch('/api/v1/webhook-endpoints', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });
}

/** Makes a webhook endpoint that must be accepted; by default for every event. */
export async function makeEndpoint(
  user: TestUser,
  url: string,
  events: readonly WebhookEvent[] = webhookEvents,
): Promise<NewWebhookEndpoint> {
  const response = await addEndpoint(user, { url, events });
  if (response.status !== 201)
    throw new Error(`the endpoint was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as NewWebhookEndpoint;
}

export async function makePurchase(
  user: TestUser,
  packageKey = 'standard',
  key: string = randomUUID(),
): Promise<Purchase> {
  const response = await user.fetch('/api/v1/purchases', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ package: packageKey }),
  });
  if (response.status !== 201)
    throw new Error(`the purchase was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Purchase;
}

/**
 * Polls `read` until its value satisfies `isRight`, at most for a time limit. It polls less often the longer it waits,
 * because each poll costs CPU time.
 */
export async function waitUntil<Value>(
  read: () => Promise<Value>,
  isRight: (value: Value) => boolean,
  timeoutMs = 20_000,
  atLeastEveryMs = 200,
): Promise<Value> {
  const start = performance.now();
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    const waitedMs = performance.now() - start;
    if (waitedMs > timeoutMs) throw new Error(`still not so after ${timeoutMs} ms: ${JSON.stringify(value)}`);
    await sleep(Math.min(atLeastEveryMs, Math.max(25, waitedMs / 10)));
  }
}

/** Waits for the generation's end. */
export function waitForEnd(user: TestUser, generationId: string, timeoutMs = 20_000): Promise<Generation> {
  return waitUntil(
    () => user.get<Generation>(`/api/v1/generations/${generationId}`),
    (generation) => ['succeeded', 'failed', 'canceled'].includes(generation.status),
    timeoutMs,
  );
}
