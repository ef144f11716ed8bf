import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { requireUser } from '../platform/http/caller.ts';
import { sendOnce } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readPage } from '../platform/http/paging.ts';
import { setSecurityEvent } from '../platform/http/request-log.ts';
import { addRoute, countBy, readBody } from '../platform/http/route.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';

type KeyOptions = { db: Db; clock: Clock; limits: RequestLimits };

/** A user's API keys. A key cannot create, list or delete keys: see `isForKeys`. */
export function addKeyRoutes(http: FastifyInstance, { db, clock, limits }: KeyOptions): void {
  addRoute(http, 'post /keys', { guards: [countBy(limits, 'key')] }, (request, reply) =>
    sendOnce(request, reply, { db, clock }, async (idempotent) => {
      const { name } = readBody('post /keys', request);
      const answered = await createKey(db, requireUser(request), idempotent, name);
      setSecurityEvent(request, 'key_created', idempotent.userId);
      return answered;
    }),
  );
  addRoute(http, 'get /keys', (request) => listKeys(db, requireUser(request).userId, readPage(request)));
  addRoute(http, 'delete /keys/{id}', async (request) => {
    const { userId } = requireUser(request);
    await deleteKey(db, clock, userId, request.params.id);
    setSecurityEvent(request, 'key_deleted', userId);
  });
}
