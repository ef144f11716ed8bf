import type { IncomingMessage } from 'node:http';
import { isSame } from '../secrets.ts';
import { isTokenFor } from '../tokens.ts';
import { getHeader } from './http.ts';
import type { Wire } from './wire.ts';

/** The engine's key, as the provider's clients send it: `Authorization: Key …` (fal), `Bearer …` (Stability). */
export function hasKey(wire: Wire, request: IncomingMessage, scheme: 'Key' | 'Bearer' = 'Key'): boolean {
  return isSame(`${scheme} ${wire.key}`, getHeader(request, 'authorization') ?? '');
}

/** A temporary token in the query, for the app (`owner/alias/…`) that the path names. */
export function hasToken(wire: Wire, query: URLSearchParams, app: string): boolean {
  const token = query.get('fal_jwt_token');
  return token !== null && isTokenFor(wire.tokens, token, app.split('/')[1] ?? '');
}
