import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { addRoute } from '../platform/http/route.ts';
import { makeStatus } from './status.ts';

/** How the work goes, in figures for everybody. */
export function addStatusRoutes(http: FastifyInstance, { db, clock }: { db: Db; clock: Clock }): void {
  const readStatus = makeStatus(db, clock);
  addRoute(http, 'get /status', () => readStatus());
}
