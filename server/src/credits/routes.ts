import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { requireUser } from '../platform/http/caller.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute } from '../platform/http/route.ts';
import { listLedger, readCredits } from './ledger.ts';
import { openStatement, writeCsv, writeJson } from './statement.ts';

type CreditOptions = { db: Db; clock: Clock };

export function addCreditRoutes(http: FastifyInstance, options: CreditOptions): void {
  const { db } = options;
  addRoute(http, 'get /credits', async (request) => ({ credits: await readCredits(db, requireUser(request).userId) }));
  addRoute(http, 'get /credits/history', (request) => listLedger(db, requireUser(request).userId, readPage(request)));
  addRoute(http, 'get /credits/statement', { counts: 'download' }, (request, reply) =>
    sendStatement(request, reply, options),
  );
}

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8';

/** Streams the statement in chunks of entries; aborts if the database fails. */
async function sendStatement(request: FastifyRequest, reply: FastifyReply, { db, clock }: CreditOptions) {
  const isCsv = request.type(JSON_TYPE, CSV_TYPE) === CSV_TYPE;
  const statement = await openStatement(db, requireUser(request).userId);
  const day = clock.now().toISOString().slice(0, 10);
  reply.headers({
    'Content-Type': isCsv ? CSV_TYPE : JSON_TYPE,
    'Content-Disposition': `attachment; filename="plinth-credits-${day}.${isCsv ? 'csv' : 'json'}"`,
    Vary: 'Accept',
  });
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(isCsv ? writeCsv(statement) : writeJson(statement), { objectMode: false }));
}
