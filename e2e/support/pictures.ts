import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import sharp from 'sharp';

export type Photo = { name: string; mimeType: string; buffer: Buffer };

const SAMPLES = join(import.meta.dirname, '..', '..', 'web', 'public', 'samples');

/** Path of a sample photo that ships with the product. */
export const samplePath = (name: string) => join(SAMPLES, `${name}.jpg`);
export const samplePhoto = (name: string) => readFileSync(samplePath(name));

/**
 * Returns a small sample photo for the file input, as from an old phone, with this longer side. It needs half the
 * engine time of the whole sample.
 */
export async function smallPhoto(name: string, sidePx = 400): Promise<Photo> {
  const buffer = await sharp(samplePath(name)).resize(sidePx, sidePx, { fit: 'inside' }).jpeg().toBuffer();
  return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer };
}

/** Creates a sparse file, named like a JPEG, of 12 MiB and one byte. Only its path is passed, not its bytes. */
export function makeTooLargePhoto(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'plinth-large-')), 'huge.jpg');
  writeFileSync(path, '');
  truncateSync(path, 12 * 1024 * 1024 + 1);
  return path;
}

/** Counts the signed-in user's pictures in this browser's IndexedDB: those of tools, or those of catalogues. */
export function countKeptPictures(page: Page, of: 'tools' | 'catalogues' = 'tools'): Promise<number> {
  return page.evaluate(
    async (kind) => {
      const finished = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve) => (request.onsuccess = () => resolve(request.result)));
      if ((await indexedDB.databases()).length === 0) return 0;
      const database = await finished(indexedDB.open('plinth'));
      const keys = await finished(database.transaction('kept').objectStore('kept').getAllKeys());
      database.close();
      return keys.filter((key) => typeof key === 'string' && key.includes(kind)).length;
    },
    of === 'tools' ? ' tools uploads/' : ' photos file ',
  );
}

/** Returns a PNG of one colour, in which no product can be found. */
export function makeEmptyPicture(side = 640): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, 168)]);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(side, 0);
  size.writeUInt32BE(side, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    makeChunk('IHDR', Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])])),
    makeChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))),
    makeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function makeChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
