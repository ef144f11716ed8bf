import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { requireUser } from '../platform/http/caller.ts';
import { sendOnce } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { addRoute, countBy, readBody } from '../platform/http/route.ts';
import { createLook, deleteLook, listLooks, type NamedLook, readLook, replaceLook } from './looks.ts';

export type LookOptions = { db: Db; clock: Clock; limits: RequestLimits };

export function addLookRoutes(http: FastifyInstance, { db, clock, limits }: LookOptions): void {
  const countChange = countBy(limits, 'look');
  const userOf = (request: FastifyRequest) => requireUser(request).userId;
  addRoute(http, 'get /looks', async (request) => ({ items: await listLooks(db, userOf(request)) }));
  addRoute(http, 'post /looks', { guards: [countChange] }, (request, reply) =>
    sendOnce(request, reply, { db, clock }, async (idempotent) =>
      createLook(db, idempotent, readNamed('post /looks', request)),
    ),
  );
  const onlyOwn = (request: FastifyRequest<{ Params: { id: string } }>) =>
    readLook(db, userOf(request), request.params.id);
  const changing = { guards: [onlyOwn, countChange] };
  addRoute(http, 'put /looks/{id}', changing, (request) =>
    replaceLook(db, userOf(request), request.params.id, readNamed('put /looks/{id}', request)),
  );
  addRoute(http, 'delete /looks/{id}', changing, (request) => deleteLook(db, userOf(request), request.params.id));
}

function readNamed(name: 'post /looks' | 'put /looks/{id}', request: FastifyRequest): NamedLook {
  const { name: named, id: _id, createdAt: _createdAt, ...settings } = readBody(name, request);
  return { name: named, settings };
}
