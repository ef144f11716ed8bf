import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSame } from '../secrets.ts';
import { getHeader, sendAnswer, type Answer } from './http.ts';
import type { Wire } from './wire.ts';

/** The engine's key, as the provider's clients send it: `Authorization: Key …` (fal), `Bearer …` (Stability). */
export function hasKey(wire: Wire, request: { headers: IncomingHttpHeaders }, scheme = 'Key'): boolean {
  return isSame(`${scheme} ${wire.key}`, getHeader(request, 'authorization') ?? '');
}

export const NO_KEY: Answer = { status: 401, body: { detail: 'Authentication is required.' } };

/** Turns away who has no key before anything of the request's body is read. */
export function askForKey(wire: Wire) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    hasKey(wire, request) ? undefined : sendAnswer(reply, NO_KEY);
}
