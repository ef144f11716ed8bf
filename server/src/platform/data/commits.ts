import { sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * As a column of a statement that is its own transaction: its commit does not wait for the disk, and what it holds is
 * free for the next one at once. Whoever promises something because of it waits for `flushCommits` first.
 */
export const COMMITS_UNFLUSHED = sql`set_config('synchronous_commit', 'off', true)`;

type Line = { running: Promise<void>; next: Promise<void> | undefined };

const lines = new WeakMap<Db, Line>();

/**
 * Resolves once everything that was committed before the call is on the disk, and on standbys that commits wait for.
 * Those who call while another flush is running share the one after it.
 */
export function flushCommits(db: Db): Promise<void> {
  const line = lines.get(db) ?? { running: Promise.resolve(), next: undefined };
  lines.set(db, line);
  if (line.next !== undefined) return line.next;
  const begin = () => flush(db, line);
  line.running = line.running.then(begin, begin);
  line.next = line.running;
  return line.next;
}

async function flush(db: Db, line: Line): Promise<void> {
  line.next = undefined;
  // The log is one sequence: a commit that waits for the disk waits for all before it. One that wrote nothing does not
  // wait, so this one writes a message, which nobody reads.
  await sql`select pg_logical_emit_message(true, 'plinth', '')`.execute(db);
}
