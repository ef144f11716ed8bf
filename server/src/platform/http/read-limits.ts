import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { requireUser } from './caller.ts';
import { networkOf, tooMany } from './limits.ts';

/**
 * How often one person may ask in a minute. Reads are twice as many as anybody needs, because whoever asks for one
 * generation every 100 ms and for lists beside it is still no nuisance; previews count as reads, a page has a hundred.
 */
const aMinute = { read: 1200, download: 300, stream: 60 } as const;
export type CountedRead = keyof typeof aMinute;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a GET below /api/ counts as; a read when nothing is said. */
    counts?: CountedRead;
  }
}

/**
 * Refuses whoever asks too often: a person by his account, a program by its key, a visitor by his network. What is the
 * same for all is free. The counters are this process's own, because a read must not cost a write. `scale` raises the
 * numbers and never lowers them.
 */
export function limitReads(http: FastifyInstance, scale: number): void {
  const open = (points: number) => new RateLimiterMemory({ points: points * Math.max(1, scale), duration: 60 });
  const counters = { read: open(aMinute.read), download: open(aMinute.download), stream: open(aMinute.stream) };
  // After the routes' own guards: 401 and 404 come before 429.
  http.addHook('preHandler', (request, _reply, done) => {
    if (request.is404 || !request.url.startsWith('/api/')) return done();
    const { config } = request.routeOptions;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || config.isForAll === true) return done();
    counters[config.counts ?? 'read'].consume(whoAsks(request)).then(
      () => done(),
      (error: Error) => done(error instanceof RateLimiterRes ? tooMany(error.msBeforeNext) : error),
    );
  });
}

function whoAsks(request: FastifyRequest): string {
  const isKnown = request.caller.kind === 'user' || request.caller.kind === 'key';
  return isKnown ? requireUser(request).countsAs : networkOf(request.ip);
}
