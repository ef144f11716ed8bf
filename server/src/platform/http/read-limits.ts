import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { requireUser } from './caller.ts';
import { networkOf, tooMany } from './limits.ts';

/** Requests per minute. 1200 reads are twice what polling every 100 ms with lists beside it needs. */
const aMinute = { read: 1200, download: 300, stream: 60 } as const;
export type CountedRead = keyof typeof aMinute;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a GET below /api/ counts as; a read when nothing is said. */
    counts?: CountedRead;
  }
}

/**
 * Limits reads by account, key or network, except what is the same for all. Counters are per process: a read must not
 * cost a write. `scale` only raises the numbers.
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
