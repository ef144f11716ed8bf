import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expiryLimit, type Library } from '../media/library.ts';
import { findOwner, OUR_KEY, OWNER_KEY } from '../media/orphans.ts';
import { withClient } from '../platform/data/db.ts';
import { type Deletions, readDeletions, writeDeletions } from '../platform/data/deletions.ts';
import type { Archive, Manifest } from './archive.ts';
import { applyDeletions, settleOpenGenerations, sweepExpired } from './after-restore.ts';
import { findViolations } from './check.ts';
import { compareMigrations, migrate, MIGRATION_LOCK } from './migrate.ts';
import { fillDatabase, readTarget, replaceTables, type Target } from './restore-rows.ts';
import { CommandError, DAMAGED, IN_THE_WAY } from './arguments.ts';

type RestoreOptions = { library: Library; databaseUrl: string; archive: Archive; isReplacing: boolean };

/**
 * Replaces an empty installation, or this one, by an archive: files first, then all rows in one transaction. Afterwards
 * all sessions have ended, unfinished generations are refunded, and deleted or expired data stays deleted.
 * @throws CommandError, without any change, if the target is in use, not empty, or its storage is another's
 */
export async function restoreBackup(options: RestoreOptions) {
  const { library, databaseUrl, archive } = options;
  const { manifest } = archive;
  refuseNewer(manifest);
  const { files, deletions } = await restoreRows(options);
  await migrate(databaseUrl);
  // Unfinished generations that were ended and refunded.
  const generationsEnded = await settleOpenGenerations(library);
  // Deletions and returns made after the backup.
  const deletedAgain = await applyDeletions(library, deletions);
  await sweepExpired(library);
  await findOwner(library, 0);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const violations = await findViolations(library);
  return { madeAt: manifest.madeAt, rows, files, deletedAgain, generationsEnded, violations };
}

function refuseNewer({ migrations }: Manifest): void {
  const { foreign } = compareMigrations(migrations);
  if (foreign.length > 0)
    throw new CommandError(DAMAGED, `The archive belongs to a newer Plinth (${foreign.join(', ')}). Use that version.`);
}

/** Restores files, then all rows in one transaction. Returns the number of files, and deletions made since. */
function restoreRows(options: RestoreOptions): Promise<{ files: number; deletions: Deletions }> {
  const { databaseUrl, archive, library } = options;
  return withClient(databaseUrl, async (client) => {
    // Holds the migration lock, so that no process can start meanwhile.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const target = await refuseTarget(client, options);
    const name = await chooseName(library, archive.manifest, target.installation);
    // Writes recent deletions to storage, whatever happens to these rows.
    if (target.hasDeletions) await writeDeletions(library.db, library.storage);
    const deletions = await readDeletions(library.storage, new Date(archive.manifest.madeAt));
    await client.query('begin');
    await replaceTables(client, archive.manifest);
    await fillDatabase(client, archive);
    if (name === undefined) await client.query('update installation set id = default, storage_claimed_at = null');
    else await client.query('update installation set id = $1', [name]);
    const files = await restoreFiles(client, options, deletions);
    await client.query('commit');
    await client.query('analyze');
    return { files, deletions };
  });
}

// A process that has just ended is visible for a moment longer.
const MAX_CHECKS = 12;

async function refuseTarget(client: pg.Client, { isReplacing }: RestoreOptions): Promise<Target> {
  let target = await readTarget(client);
  for (let check = 1; target.others > 0 && check < MAX_CHECKS; check += 1) {
    await sleep(250);
    target = await readTarget(client);
  }
  if (target.others > 0)
    throw new CommandError(
      IN_THE_WAY,
      `The database is in use (${target.others} connections). Stop the product first.`,
    );
  if (target.hasUsers && !isReplacing)
    throw new CommandError(IN_THE_WAY, 'There are accounts here. --replace puts the archive in their place.');
  return target;
}

/** The owner's name in the storage, by which the sweep recognises its own; undefined for a new storage. */
async function chooseName({ storage }: Library, manifest: Manifest, present: string | undefined) {
  const owner = (await storage.readWhole(OWNER_KEY))?.toString();
  if (owner !== undefined && owner !== manifest.installation && owner !== present)
    throw new CommandError(IN_THE_WAY, `The storage belongs to another installation (${owner}). Give an empty one.`);
  if (owner !== undefined) return owner;
  for await (const { key } of storage.list()) {
    if (OUR_KEY.test(key))
      throw new CommandError(IN_THE_WAY, 'The storage holds files and does not say whose. Give an empty one.');
  }
  return undefined;
}

/** Restores the files still needed; marks rows of others as deleted. */
async function restoreFiles(client: pg.Client, { archive, library }: RestoreOptions, deletions: Deletions) {
  const { files } = archive.manifest;
  const keys = files.map(({ key }) => key);
  for (const [table, column] of [
    ['uploads', 'object_key'],
    ['generated_media', 'storage_path'],
  ])
    await client.query(`update ${table} set deleted_at = $1 where deleted_at is null and ${column} <> all($2)`, [
      library.clock.now(),
      keys,
    ]);
  const found = await client.query<{ key: string }>(
    `select object_key as key from uploads where deleted_at is null and created_at > $1 and user_id <> all($2)
    union all
    select storage_path from generated_media
    where deleted_at is null and created_at > $1 and user_id <> all($2) and id <> all($3) and generation_id <> all($4)`,
    [expiryLimit(library), deletions.account, deletions.media, deletions.return],
  );
  const wanted = new Set(found.rows.map(({ key }) => key));
  let count = 0;
  for (const { key, entry, contentType } of files) {
    if (!wanted.has(key)) continue;
    await library.storage.put(key, await buffer(await archive.read(entry)), contentType);
    count += 1;
  }
  return count;
}
