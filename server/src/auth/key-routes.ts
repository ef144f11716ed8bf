import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { parseBody } from '../platform/http/http.ts';
import { findIdempotencyKey, sendAnswer, toAsked } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readName } from '../platform/http/name.ts';
import { readPage } from '../platform/http/paging.ts';
import { noteSecurity } from '../platform/http/request-log.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';

export type KeyOptions = { db: Db; clock: Clock; limits: RequestLimits };

const keySchema = z.strictObject({ name: z.unknown().optional() });

/** A person's own keys. No key makes, sees or deletes another: see `isForKeys`. */
export function addKeyRoutes(http: FastifyInstance, { db, clock, limits }: KeyOptions): void {
  const countKey = async (request: FastifyRequest) => {
    await limits.count('key', requireUser(request).countsAs);
    findIdempotencyKey(request);
  };
  http.post('/api/v1/keys', { onRequest: [onlySignedIn, countKey] }, async (request, reply) => {
    const { userId } = requireUser(request);
    const name = readName(parseBody(keySchema, request.body, 'name_required').name);
    const asked = toAsked(request, { userId, route: 'keys' }, [['key', name]]);
    const { answer, isReplay } = await createKey(db, clock, asked, name);
    noteSecurity(request, 'key_created', userId);
    return sendAnswer(reply, answer, isReplay);
  });
  http.get('/api/v1/keys', { onRequest: onlySignedIn }, async (request) =>
    listKeys(db, requireUser(request).userId, readPage(request.query)),
  );
  http.delete<{ Params: { id: string } }>('/api/v1/keys/:id', { onRequest: onlySignedIn }, async (request, reply) => {
    const { userId } = requireUser(request);
    await deleteKey(db, clock, userId, request.params.id);
    noteSecurity(request, 'key_deleted', userId);
    return reply.status(204).send();
  });
}
