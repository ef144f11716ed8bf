import { type Look, LOOKS_PER_USER, type LookSettings, lookSettingsSchema, standardLook } from '@plinth/contract/looks';
import { sql } from 'kysely';
import { type Db, getRow, onlyRow, type Tx } from '../platform/data/db.ts';
import { lockUser } from '../platform/data/events.ts';
import type { Row } from '../platform/data/rows.ts';
import { AppError } from '../platform/errors.ts';
import { type Answered, type IdempotentRequest, once } from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';

/** A user's looks (saved styles). */

type LookRow = Row<'looks', 'id' | 'name' | 'settings' | 'createdAt'>;
export type NamedLook = { name: string; settings: LookSettings };

const toLook = ({ id, name, settings, createdAt }: LookRow): Look => ({
  id,
  name,
  ...settings,
  createdAt: createdAt.toISOString(),
});

/** All looks, newest first. */
export async function listLooks(db: Db, userId: string): Promise<Look[]> {
  const found = await sql<LookRow>`
    select id, name, settings, created_at as "createdAt" from looks
    where user_id = ${userId} order by created_at desc, id desc`.execute(db);
  return found.rows.map(toLook);
}

/** The settings of a user's look, or the standard ones without an id. @throws AppError look_not_found */
export async function readLook(db: Db | Tx, userId: string, lookId: string | null): Promise<LookSettings> {
  if (lookId === null) return standardLook;
  const found = await sql<Row<'looks', 'settings'>>`
    select settings from looks where id = ${lookId} and user_id = ${userId}`.execute(db);
  return getRow(found, 'look_not_found').settings;
}

/** Parses settings in an address. @throws AppError look_invalid */
export function parseSettings(text: unknown): LookSettings {
  try {
    return lookSettingsSchema.parse(JSON.parse(typeof text === 'string' ? text : ''));
  } catch (cause) {
    throw new AppError('look_invalid', { cause });
  }
}

/** @throws AppError too_many_looks */
export function createLook(db: Db, request: IdempotentRequest, { name, settings }: NamedLook): Promise<Answered> {
  const { userId, at } = request;
  const row = { id: newId('look'), name, settings, createdAt: at };
  return once(db, request, async (tx) => {
    // Concurrent requests could both be the last allowed one.
    if (!(await lockUser(tx, userId))) throw new AppError('authentication_required');
    const found = await sql<{ many: number }>`select count(*) as many from looks where user_id = ${userId}`.execute(tx);
    if (onlyRow(found).many >= LOOKS_PER_USER) throw new AppError('too_many_looks');
    await sql`
      insert into looks (id, user_id, name, settings, created_at)
      values (${row.id}, ${userId}, ${name}, ${JSON.stringify(settings)}::jsonb, ${row.createdAt})`.execute(tx);
    return { status: 201, body: toLook(row), location: null };
  });
}

/** @throws AppError look_not_found */
export async function replaceLook(db: Db, userId: string, id: string, { name, settings }: NamedLook): Promise<Look> {
  const found = await sql<LookRow>`
    update looks set name = ${name}, settings = ${JSON.stringify(settings)}::jsonb
    where id = ${id} and user_id = ${userId}
    returning id, name, settings, created_at as "createdAt"`.execute(db);
  return toLook(getRow(found, 'look_not_found'));
}

/** @throws AppError look_not_found */
export async function deleteLook(db: Db, userId: string, id: string): Promise<void> {
  const found = await sql`delete from looks where id = ${id} and user_id = ${userId}`.execute(db);
  if (found.numAffectedRows !== 1n) throw new AppError('look_not_found');
}

/** Deletes one user's looks. */
export async function deleteLooksOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from looks where user_id = ${userId}`.execute(tx);
}
