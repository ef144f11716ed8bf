import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { prefers } from '../platform/http/accept.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { readPage } from '../platform/http/paging.ts';
import { listLedger, readCredits } from './ledger.ts';
import { openStatement, writeCsv, writeJson } from './statement.ts';

export type CreditOptions = { db: Db; clock: Clock };

export function addCreditRoutes(http: FastifyInstance, options: CreditOptions): void {
  const { db } = options;
  const guard = { onRequest: onlySignedIn };
  http.get('/api/v1/credits', guard, async (request) => ({
    credits: await readCredits(db, requireUser(request).userId),
  }));
  http.get('/api/v1/credits/history', guard, async (request) =>
    listLedger(db, requireUser(request).userId, readPage(request.query)),
  );
  http.get('/api/v1/credits/statement', { ...guard, config: { counts: 'download' } }, (request, reply) =>
    sendStatement(request, reply, options),
  );
}

/** Sent as it is read, a chunk of entries at a time; breaks off where the database does. */
async function sendStatement(request: FastifyRequest, reply: FastifyReply, { db, clock }: CreditOptions) {
  const isCsv = prefers(request.headers.accept, 'text/csv', 'application/json');
  const statement = await openStatement(db, requireUser(request).userId);
  const day = clock.now().toISOString().slice(0, 10);
  reply.headers({
    'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Disposition': `attachment; filename="plinth-credits-${day}.${isCsv ? 'csv' : 'json'}"`,
    Vary: 'Accept',
  });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(Readable.from(isCsv ? writeCsv(statement) : writeJson(statement), { objectMode: false }));
}
