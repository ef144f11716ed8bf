import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { isSame } from '../secrets.ts';

/** Temporary tokens: what a browser holds instead of the key, for a few minutes and for the named apps only. */

export type TokenMint = {
  secret: Buffer;
  clock: Clock;
};

type Claims = {
  allowed_apps: string[];
  exp: number;
};

// A JSON web token (RFC 7519) with one fixed header: a token that names another algorithm is simply not ours.
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** Tokens hang on the engine's key: they outlive a restart and end when the key changes. */
export function openTokenMint(key: string, clock: Clock): TokenMint {
  return { secret: createHmac('sha256', key).update('temporary tokens').digest(), clock };
}

/** A signed token for these app aliases (`bria` of `fal-ai/bria/…`) that ends after so many seconds. */
export function signToken(mint: TokenMint, apps: string[], livesSeconds: number): string {
  const claims: Claims = { allowed_apps: apps, exp: Math.floor(mint.clock() / 1000) + livesSeconds };
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${sign(mint, signed)}`;
}

/** Whether this token was signed here, has not ended, and allows this app alias. */
export function isTokenFor(mint: TokenMint, token: string, alias: string): boolean {
  const [header, payload, signature, ...rest] = token.split('.');
  if (header !== HEADER || !payload || !signature || rest.length > 0) return false;
  if (!isSame(sign(mint, `${header}.${payload}`), signature)) return false;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
  return claims.exp * 1000 > mint.clock() && claims.allowed_apps.includes(alias);
}

function sign(mint: TokenMint, text: string): string {
  return createHmac('sha256', mint.secret).update(text).digest('base64url');
}
