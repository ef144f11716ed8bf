import { Readable } from 'node:stream';
import type { Library } from '../media/library.ts';
import { streamZip } from '../platform/zip.ts';
import { listKeptFiles, readKept } from './kept.ts';

const README = `Everything this site keeps about your account: rows as JSON, and the files that are still there.
Your password and your sessions are kept as hashes only, and hashes are left out; so are the secrets of your webhooks.
Descriptions and files are deleted after a while; generations.json names the file of each upload and result that is
still there.
`;

/** A ZIP of everything kept about a person, streamed page by page without holding a database connection. */
export function makeExport(library: Library, userId: string): Readable {
  return streamZip(library.clock, async (add) => {
    await add(Readable.from([README]), 'README.txt', true);
    for (const { file, text } of readKept(library, userId)) await add(Readable.from(text), file, true);
    for (const { key, file } of await listKeptFiles(library, userId)) {
      // What was deleted meanwhile is left out.
      const content = await library.storage.read(key);
      if (content !== undefined) await add(content, file, false);
    }
  });
}
