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

/** So many random bytes as text. */
export const takeRandom = (bytes: number, encoding: 'base64url' | 'hex' = 'base64url'): string =>
  randomBytes(bytes).toString(encoding);
