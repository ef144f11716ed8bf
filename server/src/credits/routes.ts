import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/data/db.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { readPage } from '../platform/http/paging.ts';
import { listLedger, readCredits } from './ledger.ts';

export function addCreditRoutes(http: FastifyInstance, { db }: { db: Db }): void {
  http.get('/api/v1/credits', { onRequest: onlySignedIn }, async (request) => ({
    credits: await readCredits(db, requireUser(request).userId),
  }));
  http.get('/api/v1/credits/history', { onRequest: onlySignedIn }, async (request) =>
    listLedger(db, requireUser(request).userId, readPage(request.query)),
  );
}
