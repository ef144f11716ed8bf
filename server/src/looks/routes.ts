import { errors } from '@plinth/contract/errors';
import { givenLookSchema, lookSettingsSchema } from '@plinth/contract/looks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { fieldErrors } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { parseBody } from '../platform/http/http.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readName } from '../platform/http/name.ts';
import { addRoute, countBy } from '../platform/http/route.ts';
import { createLook, deleteLook, listLooks, type NamedLook, replaceLook } from './looks.ts';

export type LookOptions = { db: Db; clock: Clock; limits: RequestLimits };

export function addLookRoutes(http: FastifyInstance, { db, clock, limits }: LookOptions): void {
  const changing = { guards: [countBy(limits, 'look')] };
  const userOf = (request: FastifyRequest) => requireUser(request).userId;
  addRoute(http, 'get /looks', async (request) => ({ items: await listLooks(db, userOf(request)) }));
  addRoute(http, 'post /looks', (request) => createLook(db, clock, userOf(request), parseLook(request.body)), changing);
  addRoute(
    http,
    'put /looks/{id}',
    (request) => replaceLook(db, userOf(request), request.params.id, parseLook(request.body)),
    changing,
  );
  addRoute(http, 'delete /looks/{id}', (request) => deleteLook(db, userOf(request), request.params.id), changing);
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
