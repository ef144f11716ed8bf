import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { addRoute } from '../platform/http/route.ts';
import { type PartChecks, readParts } from './part-states.ts';
import { makeStatus } from './status.ts';

export type StatusOptions = { db: Db; clock: Clock; parts: PartChecks };

/** How the work goes, in figures for everybody. */
export function addStatusRoutes(http: FastifyInstance, { db, clock, parts }: StatusOptions): void {
  const readStatus = makeStatus(db, clock, () => readParts(parts));
  addRoute(http, 'get /status', () => readStatus());
}
