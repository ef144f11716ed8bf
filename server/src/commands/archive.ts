import { json } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { CommandError, DAMAGED, NOT_DONE } from './arguments.ts';

/** A backup's archive: a ZIP with rows in Postgres' COPY format, files, and a manifest that names them. */

/** Format 1 had hashes in its manifest. */
export const FORMAT = 2;
export const MANIFEST = 'manifest.json';

const manifestSchema = z.object({
  format: z.number(),
  madeAt: z.iso.datetime(),
  installation: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), entry: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last: z.number() })),
  files: z.array(z.object({ key: z.string(), contentType: z.string(), entry: z.string() })),
  /** Files that were deleted before they were copied. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Tables that are not backed up: sessions end, and requests in flight are repeated by their clients. */
export const LEFT_OUT = ['migrations', 'sessions', 'sign_in_states', 'request_limits'];

export type Archive = { manifest: Manifest; read: (entry: string) => Promise<Readable>; close: () => void };

/** Opens an archive and verifies all of it. @throws CommandError if it is damaged or foreign */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== undefined)
      throw new CommandError(NOT_DONE, `${path} cannot be read.`);
    throw damaged(path, error);
  });
  try {
    const entries = await listEntries(zip);
    for (const entry of entries.values()) await verify(zip, entry);
    const find = (name: string) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new Error(`${name} is missing`);
      return entry;
    };
    const read = (name: string) => zip.openReadStreamPromise(find(name));
    const manifest = await readManifest(path, await read(MANIFEST));
    for (const { entry } of [...manifest.tables, ...manifest.files]) find(entry);
    return { manifest, read, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error instanceof CommandError ? error : damaged(path, error);
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

async function readManifest(path: string, content: Readable): Promise<Manifest> {
  const found: unknown = await json(content);
  const { format } = z.object({ format: z.number() }).parse(found);
  if (format <= FORMAT) return manifestSchema.parse(found);
  throw new CommandError(DAMAGED, `The archive ${path} is of another version of Plinth (format ${format}).`);
}

/** Compares an entry with its checksum, which yauzl does not. */
async function verify(zip: ZipFile, entry: Entry): Promise<void> {
  let found = 0;
  for await (const piece of await zip.openReadStreamPromise(entry)) found = crc32(piece as Buffer, found);
  if (found !== entry.crc32) throw new Error(`${entry.fileName} is not what was written`);
}

const damaged = (path: string, cause: unknown) =>
  new CommandError(
    DAMAGED,
    `The archive ${path} is damaged: ${cause instanceof Error ? cause.message.replace(/\.$/, '') : 'unreadable'}.`,
  );
