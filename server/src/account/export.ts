import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Library } from '../media/library.ts';
import { listKeptFiles, readKept } from './kept.ts';

const README = `Everything this site keeps about your account: rows as JSON, and the files that are still there.
Your password and your sessions are kept as hashes only, and hashes are left out. Descriptions and files are deleted
after a while; generations.json names the file of each upload and result that is still there.
`;

/**
 * A ZIP of everything kept about a person, made as somebody reads it: a page of rows or a piece of one file at a time, and
 * no connection to the database is held in between. Breaks off when the storage does.
 */
export function makeExport(library: Library, userId: string): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  zip.once('error', (error: Error) => output.destroy(error));
  fill(zip, output, library, userId).catch((error: Error) => output.destroy(error));
  return output;
}

async function fill(zip: ZipFile, output: PassThrough, library: Library, userId: string): Promise<void> {
  let current: Readable | undefined;
  // The reader may go at any time.
  output.once('close', () => current?.destroy());
  const add = async (content: Readable, file: string, compress: boolean) => {
    current = content;
    if (output.destroyed) content.destroy();
    else zip.addReadStream(content, file, { compress, mtime: library.clock.now() });
    await finished(content);
  };
  await add(Readable.from([README]), 'README.txt', true);
  for (const { file, text } of readKept(library, userId)) await add(Readable.from(text), file, true);
  for (const { key, file } of await listKeptFiles(library, userId)) {
    // What was deleted meanwhile is left out.
    const content = await library.storage.read(key);
    if (content !== undefined) await add(content, file, false);
  }
  zip.end();
}
