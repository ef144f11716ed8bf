import { sql } from 'kysely';
import { secondsAfter } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { tryRemove } from '../platform/data/storage.ts';
import type { Library } from './library.ts';

/** Orphans: files without a row, left by a crash. Spares foreign names, other installations' files and large shares. */

// A younger file may belong to a request that has not committed its row yet.
const ORPHAN_AGE_SECONDS = 3600;
const BATCH = 200;
/** The most that one sweep deletes: this share of our files, or this number. */
const MAX_SHARE = 0.2;
const MIN_LIMIT = 5;
/** The file that names the installation that owns the storage. */
export const OWNER_KEY = 'plinth-installation.txt';
// Names of library.ts, also of files that a crash left half written (disk-storage.ts).
const TOKEN = String.raw`[\w-]{43}`;
/** The names of uploads and results. */
export const OUR_KEY = new RegExp(
  String.raw`^(uploads/${TOKEN}|results/[a-z-]+/\d{13}-${TOKEN})\.[a-z0-9]{3,4}(\.${TOKEN}\.partial)?$`,
);

/** Deletes orphans and logs one summary line. Returns the number found. */
export async function removeOrphans(library: Library, log: Log): Promise<number> {
  const { objects, orphans } = await findOrphans(library);
  const owner = await findOwner(library, objects);
  if (owner !== 'ours') {
    log.error({ owner, objects, orphans: orphans.length }, 'the storage is not swept: it does not say that it is ours');
    return orphans.length;
  }
  const limit = Math.max(MIN_LIMIT, Math.floor(objects * MAX_SHARE));
  const failures: Error[] = [];
  let removed = 0;
  for (const key of orphans) {
    if (removed === limit) break;
    const failure = await tryRemove(library.storage, key);
    if (failure === undefined) removed += 1;
    else failures.push(failure);
  }
  const summary = { objects, orphans: orphans.length, removed, stuck: failures.length, err: failures[0] };
  if (removed + failures.length < orphans.length)
    log.error(summary, 'many files have no row: were rows lost? the next sweep goes on');
  else log[failures.length > 0 ? 'error' : 'info'](summary, 'the storage was swept');
  return orphans.length;
}

async function findOrphans(library: Library): Promise<{ objects: number; orphans: string[] }> {
  const cutoff = secondsAfter(library.clock.now(), -ORPHAN_AGE_SECONDS);
  const orphans: string[] = [];
  let objects = 0;
  let keys: string[] = [];
  const check = async () => {
    orphans.push(...(await findKeysWithoutRow(library, keys)));
    keys = [];
  };
  for await (const object of library.storage.list()) {
    if (!OUR_KEY.test(object.key)) continue;
    objects += 1;
    if (object.changedAt < cutoff) keys.push(object.key);
    if (keys.length >= BATCH) await check();
  }
  await check();
  return { objects, orphans };
}

type FileRow = { key: Column<'uploads', 'objectKey'> };
/** The keys of all rows' files. */
const FILE_ROWS = sql`
  select object_key as key from uploads where deleted_at is null
  union all select storage_path from generated_media where deleted_at is null`;

async function findKeysWithoutRow(library: Library, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const known = await sql<FileRow>`select key from (${FILE_ROWS}) kept where key = any(${keys})`.execute(library.db);
  const rows = new Set(known.rows.map((row) => row.key));
  return keys.filter((key) => !rows.has(key));
}

/** A sentence for each row whose file is missing in storage. */
export async function auditFiles(library: Library): Promise<string[]> {
  const stored = new Set<string>();
  for await (const object of library.storage.list()) stored.add(object.key);
  const expected = await sql<FileRow>`${FILE_ROWS}`.execute(library.db);
  return expected.rows.filter((row) => !stored.has(row.key)).map((row) => `the file ${row.key} is missing`);
}

/** The installation that owns a storage; a new or empty one becomes ours. */
export async function findOwner(
  { db, storage, clock }: Library,
  objects: number,
): Promise<'ours' | 'another' | 'nobody'> {
  const found = await sql<Row<'installation', 'id'> & { isClaimed: boolean }>`
    select id, storage_claimed_at is not null as "isClaimed" from installation`.execute(db);
  const { id, isClaimed } = found.rows[0] ?? { id: '', isClaimed: true };
  const owner = (await storage.readWhole(OWNER_KEY))?.toString();
  if (owner !== undefined) return owner === id ? 'ours' : 'another';
  if (isClaimed && objects > 0) return 'nobody';
  await storage.put(OWNER_KEY, Buffer.from(id), 'text/plain');
  await sql`update installation set storage_claimed_at = ${clock.now()}`.execute(db);
  return 'ours';
}
