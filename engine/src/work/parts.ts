import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isMissing, makePrivateFolder } from './durable.ts';

/** The parts of a large upload, as files named `<number>.<hash>` in a folder of the upload's own. */

export type Part = {
  partNumber: number;
  etag: string;
};

/** Keeps one part; a part sent again takes the place of the earlier one. Returns its tag: SHA-256 of its bytes, hex. */
export async function keepPart(folder: string, partNumber: number, bytesPath: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(bytesPath), hash);
  const etag = hash.digest('hex');
  await makePrivateFolder(folder);
  await rename(bytesPath, partPath(folder, { partNumber, etag }));
  for (const name of await readdir(folder)) {
    const isOlder = name.startsWith(`${partNumber}.`) && name !== `${partNumber}.${etag}`;
    if (isOlder) await rm(join(folder, name), { force: true });
  }
  return etag;
}

/** Whether the sender's list is the parts we hold: numbers 1, 2, 3 … in order, every tag right, none left out. */
export async function areAllParts(folder: string, parts: Part[]): Promise<boolean> {
  const held = await listParts(folder);
  if (parts.length !== held.size) return false;
  return parts.every((part, i) => part.partNumber === i + 1 && held.has(`${part.partNumber}.${part.etag}`));
}

/** Writes the parts one after the other into one new file. */
export async function joinParts(folder: string, parts: Part[], toPath: string): Promise<void> {
  for (const part of parts) {
    const end = createWriteStream(toPath, { flags: part.partNumber === 1 ? 'wx' : 'a', mode: 0o600 });
    await pipeline(createReadStream(partPath(folder, part)), end);
  }
}

async function listParts(folder: string): Promise<Set<string>> {
  try {
    return new Set(await readdir(folder));
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw error;
  }
}

function partPath(folder: string, part: Part): string {
  return join(folder, `${part.partNumber}.${part.etag}`);
}
