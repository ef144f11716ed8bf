import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@plinth/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../clock.ts';
import { type Db, transaction, type Tx } from '../data/db.ts';
import type { Row } from '../data/rows.ts';
import { AppError } from '../errors.ts';
import { requireUser } from './caller.ts';

/** One request that may be sent again: who, where, which key, and the hash of what was sent. */
export type IdempotentRequest = { userId: string; route: string; key: string; payloadHash: Buffer };
export type StoredAnswer = { status: number; body: object; location: string | null };

const SHAPE = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** The request's key. @throws AppError when it is missing or malformed */
export function readIdempotencyKey(request: FastifyRequest): string {
  const key = findIdempotencyKey(request);
  if (key === undefined) throw new AppError('idempotency_key_required');
  return key;
}

/** The same where it may be left out. @throws AppError idempotency_key_invalid */
export function findIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !SHAPE.test(key)) throw new AppError('idempotency_key_invalid');
  return key;
}

/** Route hook: refuses a missing or malformed key before the body is read. */
export async function onlyWithIdempotencyKey(request: FastifyRequest): Promise<void> {
  readIdempotencyKey(request);
}

/** Hash of a payload: named parts, each with its length, so that no two payloads read the same. */
export function hashPayload(parts: [name: string, content: string | Uint8Array][]): Buffer {
  const hash = createHash('sha256');
  for (const [name, content] of parts) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    hash.update(`${name.length}:${name}:${bytes.byteLength}:`).update(bytes);
  }
  return hash.digest();
}

/**
 * The answer given to this request before, or undefined when it is new.
 * @throws AppError when the key stands for another payload, or the first request is still being worked on
 */
export async function findAnswer(db: Db | Tx, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
  const found = await sql<Row<'idempotencyKeys', 'payloadHash' | 'status' | 'body' | 'location'>>`
    select payload_hash as "payloadHash", status, body, location from idempotency_keys
    where user_id = ${request.userId} and route = ${request.route} and key = ${request.key}`.execute(db);
  const row = found.rows[0];
  if (row === undefined) return undefined;
  if (!row.payloadHash.equals(request.payloadHash)) throw new AppError('idempotency_key_reused');
  if (row.status === null || row.body === null) throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
  return { status: row.status, body: row.body, location: row.location };
}

/** True when the person sent this request before: some answer is stored under its key, whatever the payload was. */
export async function isRepeated(db: Db, request: FastifyRequest, userId: string, route: string): Promise<boolean> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return false;
  const found = await sql`
    select 1 from idempotency_keys where user_id = ${userId} and route = ${route} and key = ${key}`.execute(db);
  return found.rows.length > 0;
}

/**
 * Takes the key in the caller's transaction; `answer` is null while the work goes on after the commit.
 * False when the key was taken meanwhile: roll back and look for the answer.
 */
export async function takeKey(
  tx: Tx,
  request: IdempotentRequest,
  answer: StoredAnswer | null,
  now: Date,
): Promise<boolean> {
  const taken = await sql`
    insert into idempotency_keys (user_id, route, key, payload_hash, status, body, location, created_at)
    values (${request.userId}, ${request.route}, ${request.key}, ${request.payloadHash}, ${answer?.status ?? null},
      ${answer === null ? null : JSON.stringify(answer.body)}::json, ${answer?.location ?? null}, ${now})
    on conflict do nothing`.execute(tx);
  return taken.numAffectedRows === 1n;
}

/** Stores the answer of a key that was taken before the work. */
export async function storeAnswer(tx: Tx, request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
  await sql`
    update idempotency_keys set status = ${answer.status}, body = ${JSON.stringify(answer.body)}::json,
      location = ${answer.location}
    where user_id = ${request.userId} and route = ${request.route} and key = ${request.key}`.execute(tx);
}

export type Asked = {
  userId: string;
  /** The session or key by which somebody asks. */
  accessId: string;
  /** Undefined where the request came without a key. */
  request: IdempotentRequest | undefined;
};
export type Answered = { answer: StoredAnswer; isReplay: boolean };

/** Who asks where a key may be left out; `payload`: see `hashPayload`. @throws AppError idempotency_key_invalid */
export function toAsked(
  request: FastifyRequest,
  { userId, route }: Pick<IdempotentRequest, 'userId' | 'route'>,
  payload: Parameters<typeof hashPayload>[0],
): Asked {
  const key = findIdempotencyKey(request);
  const { accessId } = requireUser(request);
  const asked = key === undefined ? undefined : { userId, route, key, payloadHash: hashPayload(payload) };
  return { userId, accessId, request: asked };
}

/**
 * Lets one person's requests through one after the other, each key once; the user's row is locked meanwhile.
 *
 * @throws AppError authentication_required when the account was deleted meanwhile or the session or key that asks has
 *   ended, however long the request took to arrive; and what `work` throws
 */
export function answerOnce(
  db: Db,
  clock: Clock,
  { userId, accessId, request }: Asked,
  work: (tx: Tx) => Promise<StoredAnswer>,
): Promise<Answered> {
  return transaction(db, async (tx) => {
    const owner = await sql`select from users where id = ${userId} and deleted_at is null for update`.execute(tx);
    // Only now that the row is locked: an account that changes hands holds it while it ends all access.
    const access = await sql`
      select from sessions where id = ${accessId} and ended_at is null
      union all select from api_keys where id = ${accessId}`.execute(tx);
    if (owner.rows.length === 0 || access.rows.length === 0) throw new AppError('authentication_required');
    const earlier = request && (await findAnswer(tx, request));
    if (earlier !== undefined) return { answer: earlier, isReplay: true };
    const answer = await work(tx);
    if (request !== undefined) await takeKey(tx, request, answer, clock.now());
    return { answer, isReplay: false };
  });
}

/** Gives a key back: the work was refused and had no effect. */
export async function releaseKey(tx: Tx, request: IdempotentRequest): Promise<void> {
  await sql`
    delete from idempotency_keys
    where user_id = ${request.userId} and route = ${request.route} and key = ${request.key}`.execute(tx);
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

/** Sends an answer, marked when it is a repetition of the first one. */
export function sendAnswer(reply: FastifyReply, answer: StoredAnswer, isReplay: boolean): FastifyReply {
  if (isReplay) reply.header('Idempotency-Replayed', 'true');
  if (answer.location !== null) reply.header('Location', answer.location);
  return reply.status(answer.status).send(answer.body);
}
