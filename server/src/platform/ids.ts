import { randomBytes } from 'node:crypto';

type IdPrefix = 'usr' | 'ses' | 'gen' | 'med' | 'upl' | 'pur' | 'req' | 'run' | 'itm' | 'whe' | 'msg' | 'key' | 'look';

/** A new opaque id: the prefix and 128 random bits, URL-safe. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomBytes(16).toString('base64url')}`;

/** A secret for a browser or a link: 256 random bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url');
