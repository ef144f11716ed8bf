import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody, EventName, SessionEndReason } from '@plinth/contract/events';
import { sql } from 'kysely';
import type pg from 'pg';
import { changeInBatches, ONE_BATCH } from './batches.ts';
import { CONNECT_MS, type Db, makeClient, QUERY_MS, type Tx } from './db.ts';
import type { Log } from '../log.ts';
import type { Row } from './rows.ts';

/** Live events: appended in the transaction that causes them, delivered to open streams after its commit. */

export type LiveEvent = Row<'userEvents', 'seq' | 'name' | 'body'>;

export type EventHub = Awaited<ReturnType<typeof openEventHub>>;

const EVENTS_CHANNEL = 'plinth_events';
const SESSIONS_CHANNEL = 'plinth_sessions';
const HEARTBEAT_MS = 5000;

/**
 * Appends one event and locks the user's row until the commit, so that sequence numbers grow in commit order. Lock
 * order: generation, purchase and balance before this call, only a run after it.
 */
export async function appendEvent<Name extends EventName>(
  tx: Tx,
  userId: string,
  name: Name,
  body: EventBody<Name>,
): Promise<void> {
  await sql`select append_user_event(${userId}, ${name}, ${JSON.stringify(body)}::jsonb)`.execute(tx);
}

/** Notifies every process of ended sessions or deleted keys, so that it closes their streams. */
export async function announceSessionEnds(tx: Tx, sessionIds: string[], reason: SessionEndReason): Promise<void> {
  for (const id of sessionIds) {
    await sql`select pg_notify(${SESSIONS_CHANNEL}, ${JSON.stringify({ id, reason })})`.execute(tx);
  }
}

export async function readNewestSeq(db: Db, userId: string): Promise<number> {
  const found = await sql<Row<'users', 'eventSeq'>>`
    select event_seq as "eventSeq" from people where user_id = ${userId}`.execute(db);
  return found.rows[0]?.eventSeq ?? 0;
}

/** Events after `seq`, oldest first, at most `limit`. */
export async function readEventsAfter(db: Db, userId: string, seq: number, limit: number): Promise<LiveEvent[]> {
  const found = await sql<LiveEvent>`
    select seq, name, body from user_events where user_id = ${userId} and seq > ${seq} order by seq limit ${limit}
  `.execute(db);
  return found.rows;
}

/** True if no event after `seq` has been deleted, so that a stream can resume there. */
export async function canReplayAfter(db: Db, userId: string, seq: number, maxEvents: number): Promise<boolean> {
  const newest = await readNewestSeq(db, userId);
  if (seq < 0 || seq > newest) return false;
  if (seq === newest) return true;
  if (newest - seq > maxEvents) return false;
  const found = await sql<{ kept: number }>`
    select count(*) as kept from user_events where user_id = ${userId} and seq > ${seq}`.execute(db);
  return found.rows[0]?.kept === newest - seq;
}

/** Deletes events that no stream can request any more. */
export async function deleteEventsBefore(db: Db, moment: Date): Promise<void> {
  await changeInBatches(
    db,
    sql`
      delete from user_events
      where ctid = any(array(select ctid from user_events where created_at < ${moment} ${ONE_BATCH}))`,
  );
}

/** Listens on a separate connection and reconnects after an outage of the database. */
export async function openEventHub(databaseUrl: string, log: Log) {
  // Each id is an event name with a listener per stream.
  const users = new EventEmitter().setMaxListeners(0);
  const sessions = new EventEmitter().setMaxListeners(0);
  let client: pg.Client | undefined;
  let closed = false;

  const connect = async () => {
    const limits = { keepAlive: true, connectionTimeoutMillis: CONNECT_MS, query_timeout: QUERY_MS };
    const next = makeClient(databaseUrl, limits);
    next.on('notification', (message) => dispatch(message, users, sessions));
    next.on('error', (error) => log.warn({ err: error }, 'event listener'));
    try {
      await next.connect();
      await next.query(`listen ${EVENTS_CHANNEL}`);
      await next.query(`listen ${SESSIONS_CHANNEL}`);
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    if (closed) return void (await next.end());
    client = next;
    // Only now: a client that failed to connect emits "end", too, and would start another reconnect loop.
    next.once('end', () => {
      client = undefined;
      if (!closed) void reconnect();
    });
    void sendHeartbeats(next);
  };
  /** A connection may die silently: a heartbeat closes one that does not answer. */
  const sendHeartbeats = async (listener: pg.Client): Promise<void> => {
    while (client === listener) {
      await sleep(HEARTBEAT_MS, undefined, { ref: false });
      if (client === listener) await listener.query(`listen ${SESSIONS_CHANNEL}`).catch(() => listener.end());
    }
  };
  const reconnect = async (): Promise<void> => {
    while (!closed && client === undefined) {
      await sleep(500);
      if (!closed) await connect().catch((error: unknown) => log.warn({ err: error }, 'event listener'));
    }
    // Notifications were missed in the meantime: wake every stream.
    for (const userId of users.eventNames()) users.emit(userId);
  };

  await connect();
  return {
    /** Calls `onNews` after each commit that appended events for the user, until the returned function is called. */
    watchUser: (userId: string, onNews: () => void) => watch(users, userId, onNews),
    /** Calls `onEnd` when the session ends, in any process. */
    watchSession: (sessionId: string, onEnd: (reason: SessionEndReason) => void) => watch(sessions, sessionId, onEnd),
    isUp: () => client !== undefined,
    close: async (): Promise<void> => {
      closed = true;
      await client?.end();
    },
  };
}

function dispatch({ channel, payload = '' }: pg.Notification, users: EventEmitter, sessions: EventEmitter): void {
  if (channel === EVENTS_CHANNEL) return void users.emit(payload);
  const ended = JSON.parse(payload) as { id: string; reason: SessionEndReason };
  sessions.emit(ended.id, ended.reason);
}

function watch(all: EventEmitter, id: string, watcher: (reason: SessionEndReason) => void): () => void {
  all.on(id, watcher);
  return () => void all.off(id, watcher);
}

/** Serialises a user's requests and events until the transaction ends. False for a deleted account. */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const found = await sql`
    select from people where user_id = ${userId} and deleted_at is null for no key update`.execute(tx);
  return found.rows.length > 0;
}

/** Overwrites `path` with `value` in older events that match `where`. */
export async function overwriteEvents(
  db: Db,
  before: Date,
  { where, path, value }: { where: object; path: string[]; value: string },
): Promise<void> {
  await changeInBatches(
    db,
    sql`
      update user_events set body = jsonb_set(body, ${path}, to_jsonb(${value}::text))
      where ctid = any(array(
        select ctid from user_events
        where created_at <= ${before} and body @> ${JSON.stringify(where)}::jsonb and body #>> ${path} <> ${value}
        ${ONE_BATCH}))`,
  );
}

/** Deletes one user's events. */
export async function deleteEventsOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from user_events where user_id = ${userId}`.execute(tx);
}
