import { hash } from 'node:crypto';
import type { SessionEndReason } from '@plinth/contract/events';
import { type ApiKey, KEYS_PER_USER } from '@plinth/contract/keys';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, getRow, onlyRow, transaction, type Tx } from '../platform/data/db.ts';
import { recordDeletion } from '../platform/data/deletions.ts';
import { announceSessionEnds } from '../platform/data/events.ts';
import type { Row } from '../platform/data/rows.ts';
import { AppError } from '../platform/errors.ts';
import type { Access, Caller } from '../platform/http/caller.ts';
import { type Answered, type IdempotentRequest, once } from '../platform/http/idempotency.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import { newId, newToken } from '../platform/ids.ts';
import { lockAccess } from './access.ts';

/** API keys, the sessions of programs. The secret is shown once; the table stores its hash. */

const SECRET_PATTERN = /^plk_[\w-]{43}$/;
const PREFIX_LENGTH = 8;
/** The time of last use is written at most once a minute. */
const TOUCH_SECONDS = 60;

const hashSecret = (secret: string) => hash('sha256', secret, 'buffer');

/** Authenticates a key. @throws AppError invalid_key if it is malformed, unknown or deleted */
export async function getKeyCaller(db: Db, clock: Clock, secret: string): Promise<Caller> {
  if (!SECRET_PATTERN.test(secret)) throw new AppError('invalid_key');
  const found = await sql<Row<'apiKeys', 'id' | 'userId' | 'lastUsedAt'>>`
    select k.id, k.user_id as "userId", k.last_used_at as "lastUsedAt"
    from api_keys k join users u on u.id = k.user_id
    where k.secret_hash = ${hashSecret(secret)} and u.deleted_at is null`.execute(db);
  const row = getRow(found, 'invalid_key');
  const now = clock.now();
  if (row.lastUsedAt === null || row.lastUsedAt < secondsAfter(now, -TOUCH_SECONDS))
    await sql`update api_keys set last_used_at = ${now} where id = ${row.id}`.execute(db);
  return { kind: 'key', userId: row.userId, keyId: row.id };
}

/** Creates a key; the stored answer for replays lacks the secret. @throws AppError too_many_keys */
export function createKey(db: Db, access: Access, request: IdempotentRequest, name: string): Promise<Answered> {
  const { userId, at } = request;
  const secret = `plk_${newToken()}`;
  const prefix = secret.slice(0, PREFIX_LENGTH);
  const key: ApiKey = { id: newId('key'), name, prefix, createdAt: at.toISOString(), lastUsedAt: null };
  const create = async (tx: Tx) => {
    await lockAccess(tx, access);
    await refuseTooMany(tx, userId);
    await sql`
      insert into api_keys (id, secret_hash, user_id, name, prefix, created_at)
      values (${key.id}, ${hashSecret(secret)}, ${userId}, ${name}, ${prefix}, ${at})`.execute(tx);
    return { status: 201, body: key, location: null };
  };
  return once(db, request, create, secret);
}

async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  const found = await sql<{ many: number }>`
    select count(*) as many from api_keys where user_id = ${userId}`.execute(tx);
  if (onlyRow(found).many >= KEYS_PER_USER) throw new AppError('too_many_keys');
}

/** Deletes a key and notifies its streams. @throws AppError not_found */
export async function deleteKey(db: Db, clock: Clock, userId: string, keyId: string): Promise<void> {
  const deleted = await transaction(db, (tx) => deleteKeys(tx, clock, { userId, id: keyId }, 'signed_out'));
  if (deleted === 0) throw new AppError('not_found');
}

/** Deletes a user's keys, all or one, and notifies their streams. Returns their number. */
export async function deleteKeys(
  tx: Tx,
  clock: Clock,
  choice: { userId: string; id?: string },
  reason: SessionEndReason,
): Promise<number> {
  const deleted = await sql<Row<'apiKeys', 'id'>>`
    delete from api_keys
    where user_id = ${choice.userId} and (${choice.id ?? null}::text is null or id = ${choice.id ?? null})
    returning id`.execute(tx);
  const ids = deleted.rows.map(({ id }) => id);
  // So that restoring an older backup does not bring them back.
  for (const id of ids) await recordDeletion(tx, 'key', id, clock.now());
  await announceSessionEnds(tx, ids, reason);
  return ids.length;
}

type KeyRow = Row<'apiKeys', 'id' | 'name' | 'prefix' | 'createdAt' | 'lastUsedAt'> & { cursor: string };

/** The user's keys, newest first. */
export async function listKeys(db: Db, userId: string, page: PageRequest) {
  const found = await sql<KeyRow>`
    select id, name, prefix, created_at as "createdAt", last_used_at as "lastUsedAt", created_at::text as cursor
    from api_keys where user_id = ${userId} ${pageClause(page, 'api_keys')}`.execute(db);
  return toPage(found.rows, page, ({ cursor: _cursor, createdAt, lastUsedAt, ...key }): ApiKey => ({
    ...key,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Deletes keys that an older backup has restored. Returns their number. */
export async function deleteRestoredKeys(db: Db, ids: readonly string[]): Promise<number> {
  const removed = await sql`delete from api_keys where id = any(${ids}) returning id`.execute(db);
  return removed.rows.length;
}
