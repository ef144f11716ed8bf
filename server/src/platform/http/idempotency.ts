import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@plinth/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../clock.ts';
import { type Db, transaction, type Tx } from '../data/db.ts';
import type { Row } from '../data/rows.ts';
import { AppError } from '../errors.ts';
import { requireUser } from './caller.ts';

/**
 * Idempotency. `once` takes the key, works and keeps the answer in one transaction; work that leaves the database in
 * between uses `begin` and `finish`.
 */

/** One request that may be sent again: who, where, which key, the hash of what was sent, and when it came. */
export type IdempotentRequest = {
  userId: string;
  /** The path below the base, read rather than as it was written. */
  route: string;
  /** Undefined where it came without one: then nothing is kept of it. */
  key: string | undefined;
  payloadHash: Buffer;
  at: Date;
};
export type StoredAnswer = { status: number; body: object; location: string | null };
export type Answered = { answer: StoredAnswer; isReplay: boolean };

const SHAPE = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** The request's key, where it has one. @throws AppError idempotency_key_invalid */
function findKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !SHAPE.test(key)) throw new AppError('idempotency_key_invalid');
  return key;
}

/** Route hook: refuses a missing or malformed key before the body is read. */
export async function onlyWithIdempotencyKey(request: FastifyRequest): Promise<void> {
  if (findKey(request) === undefined) throw new AppError('idempotency_key_required');
}

/** Route hook where the key may be left out: refuses a malformed one. */
export async function onlyWithSoundKey(request: FastifyRequest): Promise<void> {
  findKey(request);
}

const routeOf = ({ routeOptions, params }: FastifyRequest): string =>
  (routeOptions.url ?? '')
    .replace('/api/v1/', '')
    .replace(/:(\w+)/g, (_, name: string) => (params as Record<string, string>)[name] ?? '');

/** Hash of a payload: named parts, each with its length, so that no two payloads read the same. */
export function hashPayload(parts: [name: string, content: string | Uint8Array][]): Buffer {
  const hash = createHash('sha256');
  for (const [name, content] of parts) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    hash.update(`${name.length}:${name}:${bytes.byteLength}:`).update(bytes);
  }
  return hash.digest();
}

/** The same of a JSON body, by what it says: neither spaces nor the order of members count. */
function hashBody({ body }: FastifyRequest): Buffer {
  try {
    return hashPayload([['body', JSON.stringify(body ?? {}, sortMembers)]]);
  } catch {
    // It nests too deeply for the stack: no route takes it, so this hash is never kept.
    return hashPayload([]);
  }
}

const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Works once for a request. A second one with the same key waits for the first commit and gets its answer; a throw
 * leaves the key unused. A `secret` is in the first answer only, and not kept.
 * @throws AppError idempotency_key_reused, idempotency_in_progress
 */
export function once(
  db: Db,
  request: IdempotentRequest,
  work: (tx: Tx) => Promise<StoredAnswer>,
  secret?: string,
): Promise<Answered> {
  return transaction(db, async (tx) => {
    // First of all: whoever waits for the key must hold nothing that the other one needs.
    const earlier = await begin(tx, request);
    if (earlier !== undefined) return { answer: earlier, isReplay: true };
    const answer = await work(tx);
    await finish(tx, request, answer);
    const shown = secret === undefined ? answer : { ...answer, body: { ...answer.body, secret } };
    return { answer: shown, isReplay: false };
  });
}

/** Takes the key; returns the answer given before. @throws AppError idempotency_key_reused, idempotency_in_progress */
export async function begin(tx: Tx, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
  const { userId, route, key, payloadHash, at } = request;
  if (key === undefined) return undefined;
  const taken = await sql`
    insert into idempotency_keys (user_id, route, key, payload_hash, created_at)
    values (${userId}, ${route}, ${key}, ${payloadHash}, ${at}) on conflict do nothing`.execute(tx);
  if (taken.numAffectedRows === 1n) return undefined;
  const answer = await findAnswer(tx, request);
  // Given back since.
  if (answer === undefined) throw inProgress();
  return answer;
}

/** Keeps the answer of a request that was begun; without one its key is given back: the work had no effect. */
export async function finish(tx: Tx, request: IdempotentRequest, answer: StoredAnswer | null): Promise<void> {
  const { userId, route, key } = request;
  if (key === undefined) return;
  const isOurs = sql`user_id = ${userId} and route = ${route} and key = ${key}`;
  if (answer === null) return void (await sql`delete from idempotency_keys where ${isOurs}`.execute(tx));
  const { status, body, location } = answer;
  await sql`
    update idempotency_keys set status = ${status}, body = ${JSON.stringify(body)}::json, location = ${location}
    where ${isOurs}`.execute(tx);
}

const inProgress = () => new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });

/** @throws AppError when the key stands for another payload, or the first request is still being worked on */
async function findAnswer(
  db: Db | Tx,
  { userId, route, key, payloadHash }: IdempotentRequest,
): Promise<StoredAnswer | undefined> {
  if (key === undefined) return undefined;
  const found = await sql<Row<'idempotencyKeys', 'payloadHash' | 'status' | 'body' | 'location'>>`
    select payload_hash as "payloadHash", status, body, location from idempotency_keys
    where user_id = ${userId} and route = ${route} and key = ${key}`.execute(db);
  const [row] = found.rows;
  if (row === undefined) return undefined;
  if (!row.payloadHash.equals(payloadHash)) throw new AppError('idempotency_key_reused');
  if (row.status === null || row.body === null) throw inProgress();
  return { status: row.status, body: row.body, location: row.location };
}

/**
 * Sends what `work` answers, or the answer given before, without reading further. `payloadHash`: of the JSON body.
 * @throws AppError idempotency_key_invalid, idempotency_key_reused, idempotency_in_progress, authentication_required
 */
export async function sendOnce(
  asked: FastifyRequest,
  reply: FastifyReply,
  { db, clock }: { db: Db; clock: Clock },
  work: (request: IdempotentRequest) => Promise<Answered>,
  payloadHash = hashBody(asked),
): Promise<FastifyReply> {
  const { userId } = requireUser(asked);
  const request = { userId, route: routeOf(asked), key: findKey(asked), payloadHash, at: clock.now() };
  const earlier = await findAnswer(db, request);
  const { answer, isReplay } = earlier === undefined ? await work(request) : { answer: earlier, isReplay: true };
  if (isReplay) reply.header('Idempotency-Replayed', 'true');
  if (answer.location !== null) reply.header('Location', answer.location);
  return reply.status(answer.status).send(answer.body);
}

/** True when the person sent this request before: some answer is stored under its key, whatever the payload was. */
export async function isRepeated(db: Db, request: FastifyRequest): Promise<boolean> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return false;
  const found = await sql`
    select 1 from idempotency_keys
    where user_id = ${requireUser(request).userId} and route = ${routeOf(request)} and key = ${key}`.execute(db);
  return found.rows.length > 0;
}

const KEPT_SECONDS = 48 * 3600;
/** A key that was taken before the work is given up after this time: whoever took it has crashed. */
export const WORK_SECONDS = 120;

/** Forgets keys that nobody sends again, and those whose work never ended. */
export async function forgetKeys(db: Db, now: Date): Promise<void> {
  await sql`
    delete from idempotency_keys where created_at < ${secondsAfter(now, -KEPT_SECONDS)}
      or (status is null and created_at < ${secondsAfter(now, -WORK_SECONDS)})`.execute(db);
}

/** Overwrites `path` in answers kept for these routes (LIKE patterns): what has expired is not replayed either. */
export async function overwriteAnswers(
  db: Db,
  before: Date,
  routes: string[],
  path: string[],
  value: object | null,
): Promise<void> {
  const written = JSON.stringify(value);
  await sql`
    update idempotency_keys set body = jsonb_set(body::jsonb, ${path}, ${written}::jsonb)::json
    where created_at <= ${before} and route like any(${routes}) and body::jsonb #> ${path} <> ${written}::jsonb
  `.execute(db);
}

/** Forgets what one person has sent. */
export async function forgetKeysOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from idempotency_keys where user_id = ${userId}`.execute(tx);
}
