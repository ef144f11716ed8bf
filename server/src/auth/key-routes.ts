import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { parseBody } from '../platform/http/http.ts';
import { hashBody, onlyWithSoundKey, readIdempotent, sendOnce } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readName } from '../platform/http/name.ts';
import { readPage } from '../platform/http/paging.ts';
import { noteSecurity } from '../platform/http/request-log.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';

export type KeyOptions = { db: Db; clock: Clock; limits: RequestLimits };

const keySchema = z.strictObject({ name: z.unknown().optional() });

/** A person's own keys. No key makes, sees or deletes another: see `isForKeys`. */
export function addKeyRoutes(http: FastifyInstance, { db, clock, limits }: KeyOptions): void {
  const countKey = async (request: FastifyRequest) => limits.count('key', requireUser(request).countsAs);
  http.post('/api/v1/keys', { onRequest: [onlySignedIn, countKey, onlyWithSoundKey] }, (request, reply) => {
    const idempotent = readIdempotent(request, clock, hashBody(request));
    return sendOnce(reply, db, idempotent, async () => {
      const name = readName(parseBody(keySchema, request.body, 'name_required').name);
      const answered = await createKey(db, requireUser(request), idempotent, name);
      noteSecurity(request, 'key_created', idempotent.userId);
      return answered;
    });
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
