import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@plinth/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../clock.ts';
import { changeInBatches, ONE_BATCH } from '../data/batches.ts';
import { type Db, transaction, type Tx } from '../data/db.ts';
import type { Row } from '../data/rows.ts';
import { AppError } from '../errors.ts';
import { requireUser } from './caller.ts';

/**
 * Idempotency. `once` claims the key, works and stores the answer in one transaction; work with calls to others uses
 * `beginRequest` and `finishRequest`.
 */

/** A repeatable request: user, path, key, hash of its payload, and time. */
export type IdempotentRequest = {
  userId: string;
  /** The decoded path below the base. */
  route: string;
  /** Undefined without a key: then nothing is stored. */
  key: string | undefined;
  payloadHash: Buffer;
  at: Date;
};
export type StoredAnswer = { status: number; body: object; location: string | null };
export type Answered = { answer: StoredAnswer; isReplay: boolean };

const KEY_PATTERN = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** The request's key, if it has one. @throws AppError idempotency_key_invalid */
function findKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) throw new AppError('idempotency_key_invalid');
  return key;
}

/** Route hook: rejects a missing or malformed key before the body is read. */
export async function onlyWithIdempotencyKey(request: FastifyRequest): Promise<void> {
  if (findKey(request) === undefined) throw new AppError('idempotency_key_required');
}

/** Route hook for an optional key: rejects a malformed one. */
export async function onlyWithValidIdempotencyKey(request: FastifyRequest): Promise<void> {
  findKey(request);
}

const routeOf = ({ routeOptions, params }: FastifyRequest): string =>
  (routeOptions.url ?? '')
    .replace('/api/v1/', '')
    .replace(/:(\w+)/g, (_, name: string) => (params as Record<string, string>)[name] ?? '');

/** Hash of a payload: named, length-prefixed parts, so that different payloads never collide. */
export function hashPayload(parts: [name: string, content: string | Uint8Array][]): Buffer {
  const hash = createHash('sha256');
  for (const [name, content] of parts) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    hash.update(`${name.length}:${name}:${bytes.byteLength}:`).update(bytes);
  }
  return hash.digest();
}

/** Hash of a JSON body by its meaning: whitespace and the order of members do not matter. */
function hashBody({ body }: FastifyRequest): Buffer {
  try {
    return hashPayload([['body', JSON.stringify(body ?? {}, sortMembers)]]);
  } catch {
    // Nested too deeply for the stack. No route accepts it, so this hash is never stored.
    return hashPayload([]);
  }
}

const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Works once per request. A second one with the same key waits for the first commit and gets its answer; a throw leaves
 * the key unused. A `secret` is only in the first answer and not stored.
 * @throws AppError idempotency_key_reused, idempotency_in_progress
 */
export function once(
  db: Db,
  request: IdempotentRequest,
  work: (tx: Tx) => Promise<StoredAnswer>,
  secret?: string,
): Promise<Answered> {
  return transaction(db, async (tx) => {
    // First, so that a request that waits for the key holds no locks that the other one needs.
    const earlier = await beginRequest(tx, request);
    if (earlier !== undefined) return { answer: earlier, isReplay: true };
    const answer = await work(tx);
    await finishRequest(tx, request, answer);
    const answerOnce = secret === undefined ? answer : { ...answer, body: { ...answer.body, secret } };
    return { answer: answerOnce, isReplay: false };
  });
}

/** Claims the key; returns a stored answer. @throws AppError idempotency_key_reused, idempotency_in_progress */
export async function beginRequest(tx: Tx, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
  const { userId, route, key, payloadHash, at } = request;
  if (key === undefined) return undefined;
  const inserted = await sql`
    insert into idempotency_keys (user_id, route, key, payload_hash, created_at)
    values (${userId}, ${route}, ${key}, ${payloadHash}, ${at}) on conflict do nothing`.execute(tx);
  if (inserted.numAffectedRows === 1n) return undefined;
  const answer = await findAnswer(tx, request);
  // Released in the meantime.
  if (answer === undefined) throw inProgress();
  return answer;
}

/** Stores the answer of a begun request; without one releases the key, because the work had no effect. */
export async function finishRequest(tx: Tx, request: IdempotentRequest, answer: StoredAnswer | null): Promise<void> {
  const { userId, route, key } = request;
  if (key === undefined) return;
  const isThisKey = sql`user_id = ${userId} and route = ${route} and key = ${key}`;
  if (answer === null) return void (await sql`delete from idempotency_keys where ${isThisKey}`.execute(tx));
  const { status, body, location } = answer;
  await sql`
    update idempotency_keys set status = ${status}, body = ${JSON.stringify(body)}::json, location = ${location}
    where ${isThisKey}`.execute(tx);
}

const inProgress = () => new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });

/** @throws AppError if the key belongs to another payload, or the first request is still in progress */
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
 * Sends the answer of `work`, or the stored one. `payloadHash`: by default of the JSON body.
 * @throws AppError idempotency_key_invalid, idempotency_key_reused, idempotency_in_progress, authentication_required
 */
export async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, clock }: { db: Db; clock: Clock },
  work: (idempotent: IdempotentRequest) => Promise<Answered>,
  payloadHash = hashBody(request),
): Promise<FastifyReply> {
  const { userId } = requireUser(request);
  const idempotent = { userId, route: routeOf(request), key: findKey(request), payloadHash, at: clock.now() };
  const earlier = await findAnswer(db, idempotent);
  const { answer, isReplay } = earlier === undefined ? await work(idempotent) : { answer: earlier, isReplay: true };
  if (isReplay) reply.header('Idempotency-Replayed', 'true');
  if (answer.location !== null) reply.header('Location', answer.location);
  return reply.status(answer.status).send(answer.body);
}

/** Lets a repeated request pass despite this refusal, because it gets its first answer instead. @throws the refusal */
export async function unlessRepeated(db: Db, request: FastifyRequest, refusing: Promise<unknown>): Promise<void> {
  await refusing.catch(async (refusal: unknown) => {
    if (!(await isRepeated(db, request))) throw refusal;
  });
}

/** True if an answer is stored under the request's key, for any payload. */
async function isRepeated(db: Db, request: FastifyRequest): Promise<boolean> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return false;
  const found = await sql`
    select 1 from idempotency_keys
    where user_id = ${requireUser(request).userId} and route = ${routeOf(request)} and key = ${key}`.execute(db);
  return found.rows.length > 0;
}

const RETENTION_SECONDS = 48 * 3600;
/** A key claimed before the work is released after this time: its process must have crashed. */
export const WORK_SECONDS = 120;

/** Deletes old keys, and those whose work never ended. */
export async function deleteOldIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await changeInBatches(
    db,
    sql`
      delete from idempotency_keys
      where ctid = any(array(
        select ctid from idempotency_keys where created_at < ${secondsAfter(now, -RETENTION_SECONDS)}
          or (status is null and created_at < ${secondsAfter(now, -WORK_SECONDS)}) ${ONE_BATCH}))`,
  );
}

/** Overwrites `path` in stored answers of these routes (LIKE patterns), so that expired data is not replayed. */
export async function overwriteAnswers(
  db: Db,
  before: Date,
  routes: string[],
  path: string[],
  value: object | null,
): Promise<void> {
  const written = JSON.stringify(value);
  await changeInBatches(
    db,
    sql`
      update idempotency_keys set body = jsonb_set(body::jsonb, ${path}, ${written}::jsonb)::json
      where ctid = any(array(
        select ctid from idempotency_keys
        where created_at <= ${before} and route like any(${routes}) and body::jsonb #> ${path} <> ${written}::jsonb
        ${ONE_BATCH}))`,
  );
}

/** Deletes one user's keys. */
export async function deleteIdempotencyKeysOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from idempotency_keys where user_id = ${userId}`.execute(tx);
}
