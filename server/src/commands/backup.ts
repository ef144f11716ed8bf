import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from '../platform/data/db.ts';
import { type AddFile, streamZip } from '../platform/zip.ts';
import type { Library } from '../media/library.ts';
import { FORMAT, LEFT_OUT, MANIFEST, type Manifest } from './archive.ts';
import { CommandError, IN_THE_WAY, NOT_DONE } from './arguments.ts';

type BackupOptions = { library: Library; databaseUrl: string; path: string };

/**
 * Writes a snapshot of all rows and their files into an archive while the product runs. Leaves no partial archive.
 * @throws CommandError if the file exists or there is no space
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { path } = options;
  if (existsSync(path)) throw new CommandError(IN_THE_WAY, `${path} is there already. Give another name.`);
  const partial = `${path}.${process.pid}.partial`;
  try {
    const manifest = await writeArchive(options, partial);
    await rename(partial, path);
    return manifest;
  } catch (error) {
    await rm(partial, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT')
      throw new CommandError(NOT_DONE, `There is no room for the archive at ${path}.`);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EROFS')
      throw new CommandError(NOT_DONE, `${path} cannot be written.`);
    throw error;
  }
}

async function writeArchive(options: BackupOptions, partial: string): Promise<Manifest> {
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  await once(file, 'open');
  const { promise, resolve } = Promise.withResolvers<Manifest>();
  const zip = streamZip(options.library.clock, async (add) => resolve(await fill(add, options)), ONLY_OWNER_MODE);
  await pipeline(zip, file);
  return promise;
}

const ONLY_OWNER_MODE = 0o100600;

async function fill(add: AddFile, { library, databaseUrl }: BackupOptions): Promise<Manifest> {
  const rows = await copyRows(databaseUrl, add);
  const files: Manifest['files'] = [];
  const missing: string[] = [];
  for (const { key, contentType } of rows.kept) {
    const content = await library.storage.read(key);
    // Deleted since the rows were copied; the restore marks its row as deleted.
    if (content === undefined) {
      missing.push(key);
      continue;
    }
    const entry = `files/${key}`;
    await add(content, entry, false);
    files.push({ key, contentType, entry });
  }
  const manifest = { format: FORMAT, ...rows.manifest, files, missing } as const;
  await add(Readable.from([Buffer.from(JSON.stringify(manifest, null, 1))]), MANIFEST, true);
  return manifest;
}

type Kept = { key: string; contentType: string };

/** A consistent snapshot of all tables. */
function copyRows(databaseUrl: string, add: AddFile) {
  return withClient(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const about = await client.query<{ installation: string; madeAt: Date; migrations: string[] }>(`
      select (select id from installation) as installation, now() as "madeAt",
        (select array_agg(name order by name) from migrations) as migrations`);
    const { installation = '', madeAt = new Date(0), migrations = [] } = about.rows[0] ?? {};
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of await listTables(client)) {
      const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const copy = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`));
      // If writing the archive fails, the connection is closed in the middle of a copy.
      copy.on('error', () => undefined);
      const entry = `rows/${name}.copy`;
      await add(copy, entry, true);
      tables.push({ name, columns, rows: copy.rowCount, entry });
    }
    const sequences = await client.query<Manifest['sequences'][number]>(`
      select sequencename as name, last_value as last from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`);
    const kept = await client.query<Kept>(`
      select object_key as key, content_type as "contentType" from uploads where deleted_at is null
      union all select storage_path, content_type from generated_media where deleted_at is null`);
    await client.query('commit');
    const manifest = { madeAt: madeAt.toISOString(), installation, migrations, tables, sequences: sequences.rows };
    return { manifest, kept: kept.rows };
  });
}

/** Our tables and the columns that COPY can restore. */
async function listTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const found = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1)
    group by c.relname order by c.relname`,
    [LEFT_OUT],
  );
  return found.rows;
}
