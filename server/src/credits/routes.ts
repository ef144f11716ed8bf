import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { requireUser } from '../platform/http/caller.ts';
import { parseAcceptHeader } from '../platform/http/compressed.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute } from '../platform/http/route.ts';
import { listLedger, readCredits } from './ledger.ts';
import { openStatement, writeCsv, writeJson } from './statement.ts';

export type CreditOptions = { db: Db; clock: Clock };

export function addCreditRoutes(http: FastifyInstance, options: CreditOptions): void {
  const { db } = options;
  addRoute(http, 'get /credits', async (request) => ({ credits: await readCredits(db, requireUser(request).userId) }));
  addRoute(http, 'get /credits/history', (request) => listLedger(db, requireUser(request).userId, readPage(request)));
  addRoute(http, 'get /credits/statement', { counts: 'download' }, (request, reply) =>
    sendStatement(request, reply, options),
  );
}

/** True if CSV is accepted and JSON is not preferred (RFC 9110, 12.5.1). */
function prefersCsv(accept: string | undefined): boolean {
  const named = parseAcceptHeader(accept).filter(({ name, weight }) => weight > 0 && NAMED.test(name));
  return named.toSorted((one, other) => other.weight - one.weight)[0]?.name.startsWith('text/') === true;
}

const NAMED = /^(text\/(csv|\*)|application\/json)$/;

/** Streams the statement in chunks of entries; aborts if the database fails. */
async function sendStatement(request: FastifyRequest, reply: FastifyReply, { db, clock }: CreditOptions) {
  const isCsv = prefersCsv(request.headers.accept);
  const statement = await openStatement(db, requireUser(request).userId);
  const day = clock.now().toISOString().slice(0, 10);
  reply.headers({
    'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Disposition': `attachment; filename="plinth-credits-${day}.${isCsv ? 'csv' : 'json'}"`,
    Vary: 'Accept',
  });
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(isCsv ? writeCsv(statement) : writeJson(statement), { objectMode: false }));
}
