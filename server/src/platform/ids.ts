import { randomBytes } from 'node:crypto';

/** What an id stands for, said by its prefix. */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'gen'
  | 'med'
  | 'upl'
  | 'pur'
  | 'txn'
  | 'req'
  | 'evt'
  | 'run'
  | 'itm'
  | 'whe'
  | 'msg'
  | 'key'
  | 'look';

/** A new opaque id: the prefix and 128 random bits, URL-safe. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${takeRandom(16)}`;
}

/** A secret for a browser or a link: 256 random bits, URL-safe. */
export function newToken(): string {
  return takeRandom(32);
}

// Asked for in blocks: one question to the system costs as much for 16 bytes as for thousands. Each byte is used once.
const BLOCK_BYTES = 4096;
const pool = { block: Buffer.alloc(0), used: 0 };

/** So many random bytes as text. */
export function takeRandom(bytes: number, encoding: 'base64url' | 'hex' = 'base64url'): string {
  if (pool.used + bytes > pool.block.byteLength) {
    pool.block = randomBytes(BLOCK_BYTES);
    pool.used = 0;
  }
  pool.used += bytes;
  return pool.block.toString(encoding, pool.used - bytes, pool.used);
}
