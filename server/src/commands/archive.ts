import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { json } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { CommandError, DAMAGED, NOT_DONE } from './arguments.ts';

/** A backup's archive: a ZIP with rows in Postgres' COPY format, files, and a manifest with their hashes. */

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';

const hashed = { entry: z.string(), bytes: z.number(), sha256: z.string() };
const manifestSchema = z.object({
  format: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  installation: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), ...hashed })),
  sequences: z.array(z.object({ name: z.string(), last: z.number() })),
  files: z.array(z.object({ key: z.string(), contentType: z.string(), ...hashed })),
  /** Files that were deleted before they were copied. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Tables that are not backed up: sessions end, and requests in flight are repeated by their clients. */
export const LEFT_OUT = ['migrations', 'sessions', 'sign_in_states', 'request_limits'];

export type Archive = { manifest: Manifest; read: (entry: string) => Promise<Readable>; close: () => void };

export type Sum = { bytes: number; sha256: string };

/** Passes bytes through and counts and hashes them; `sum` is valid once all are read. */
export function measure(content: AsyncIterable<Buffer>): { stream: Readable; sum: () => Sum } {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pass() {
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  return { stream: Readable.from(pass(), { objectMode: false }), sum: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Opens an archive and verifies all of it. @throws CommandError if it is damaged or foreign */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== undefined)
      throw new CommandError(NOT_DONE, `${path} cannot be read.`);
    throw damaged(path, error);
  });
  try {
    const entries = await listEntries(zip);
    const read = async (name: string) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new Error(`${name} is missing`);
      return zip.openReadStreamPromise(entry);
    };
    const manifest = await readManifest(path, read);
    for (const part of [...manifest.tables, ...manifest.files]) await verify(await read(part.entry), part);
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

async function readManifest(path: string, read: Archive['read']): Promise<Manifest> {
  const found: unknown = await json(await read(MANIFEST));
  const { format } = z.object({ format: z.number() }).parse(found);
  if (format === FORMAT) return manifestSchema.parse(found);
  throw new CommandError(DAMAGED, `The archive ${path} is of another version of Plinth (format ${format}).`);
}

async function verify(content: Readable, { entry, bytes, sha256 }: Sum & { entry: string }): Promise<void> {
  const { stream, sum } = measure(content);
  await finished(stream.resume());
  const found = sum();
  if (found.bytes !== bytes || found.sha256 !== sha256) throw new Error(`${entry} is not what was written`);
}

const damaged = (path: string, cause: unknown) =>
  new CommandError(
    DAMAGED,
    `The archive ${path} is damaged: ${cause instanceof Error ? cause.message : 'unreadable'}.`,
  );
