import { errors } from '@plinth/contract/errors';
import { givenLookSchema, lookSettingsSchema } from '@plinth/contract/looks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { fieldErrors } from '../platform/errors.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { parseBody } from '../platform/http/http.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readName } from '../platform/http/name.ts';
import { createLook, deleteLook, listLooks, type NamedLook, replaceLook } from './looks.ts';

export type LookOptions = { db: Db; clock: Clock; limits: RequestLimits };
type WithId = { Params: { id: string } };

export function addLookRoutes(http: FastifyInstance, { db, clock, limits }: LookOptions): void {
  const count = async (request: FastifyRequest) => limits.count('look', requireUser(request).countsAs);
  const changing = { onRequest: [onlySignedIn, count] };
  http.get('/api/v1/looks', { onRequest: onlySignedIn }, async (request) => ({
    items: await listLooks(db, requireUser(request).userId),
  }));
  http.post('/api/v1/looks', changing, async (request, reply) =>
    reply.status(201).send(await createLook(db, clock, requireUser(request).userId, parseLook(request.body))),
  );
  http.put<WithId>('/api/v1/looks/:id', changing, async (request) =>
    replaceLook(db, requireUser(request).userId, request.params.id, parseLook(request.body)),
  );
  http.delete<WithId>('/api/v1/looks/:id', changing, async (request, reply) => {
    await deleteLook(db, requireUser(request).userId, request.params.id);
    return reply.status(204).send();
  });
}

const bodySchema = z.strictObject({ ...givenLookSchema.shape, name: z.unknown().optional() });
const anySchema = z.strictObject(
  Object.fromEntries(Object.keys(bodySchema.shape).map((name) => [name, z.unknown().optional()])),
);

/** @throws AppError name_required, name_too_long, look_invalid with every setting that is wrong, unknown_field */
function parseLook(body: unknown): NamedLook {
  const { name, id: _id, createdAt: _createdAt, ...given } = parseBody(anySchema, body, 'look_invalid');
  const parsed = lookSettingsSchema.safeParse(given);
  const named = readName(name);
  if (parsed.success) return { name: named, settings: parsed.data };
  const { detail } = errors.look_invalid;
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))];
  const [first, ...more] = wrong.map((field) => ({ field, code: 'look_invalid' as const, detail }));
  throw fieldErrors([first ?? { field: '', code: 'look_invalid', detail }, ...more]);
}
