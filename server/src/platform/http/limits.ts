import { isIP } from 'node:net';
import { rateLimits } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors.ts';
import { findUserId, requireUser } from './caller.ts';

const DAY_SECONDS = 86_400;

const kinds = {
  signInAddress: { points: 300, seconds: 900 },
  signInAccount: { points: 10, seconds: 900 },
  signUp: { points: 100, seconds: 3600 },
  refresh: { points: 600, seconds: 900 },
  passwordChange: { points: 20, seconds: 3600 },
  accountDeletion: { points: 10, seconds: 900 },
  accountExport: { points: 10, seconds: 3600 },
  googleStart: { points: 100, seconds: 900 },
  key: { points: 60, seconds: 600 },
  purchase: { points: 60, seconds: 600 },
  ...rateLimits,
} as const;
export type LimitKind = keyof typeof kinds;

/** After its daily allowance a key has to wait between requests: 1 s at first, doubled each time. */
const backoff = { points: 20, longestSeconds: 300 } as const;

const KNOWN_SECONDS = 30 * DAY_SECONDS;

export type RequestLimits = ReturnType<typeof openRequestLimits>;

/** Counters in the database, shared by all processes. `scale` multiplies the allowances. */
export function openRequestLimits(pool: pg.Pool, scale: number) {
  const open = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'request_limits',
      tableCreated: true,
      keyPrefix,
      points: Math.max(1, Math.round(points)),
      duration,
    });
  const limiters = new Map(
    Object.entries(kinds).map(([kind, { points, seconds }]) => [kind, open(kind, points * scale, seconds)]),
  );
  const known = open('known', 1, KNOWN_SECONDS);
  return {
    /** Counts one request. @throws AppError rate_limited if there were too many */
    count: async (kind: LimitKind, key: string): Promise<void> => {
      const waitMs = await consume(limiters.get(kind), key);
      if (waitMs !== undefined) throw rateLimited(waitMs);
    },
    /** Resets a counter: these requests were legitimate. */
    forget: async (kind: LimitKind, key: string): Promise<void> => {
      await limiters.get(kind)?.delete(key);
    },
    /** Uncounts a request that was not processed. */
    uncount: async (kind: LimitKind, key: string): Promise<void> => {
      await limiters.get(kind)?.reward(key);
    },
    /** Counts a request of a key with growing waits. @throws AppError rate_limited while it has to wait */
    countWithBackoff: openBackoff(open, scale),
    /** Remembers a key for 30 days. */
    remember: async (key: string): Promise<void> => {
      await known.set(key, 1, KNOWN_SECONDS);
    },
    isKnown: async (key: string): Promise<boolean> => (await known.get(key)) !== null,
  };
}

type Open = (keyPrefix: string, points: number, duration: number) => RateLimiterPostgres;

/** Each check is a single statement, so that concurrent requests cannot exceed the limit. */
function openBackoff(open: Open, scale: number): (key: string) => Promise<void> {
  const allowance = open('free', backoff.points * scale, DAY_SECONDS);
  const wait = open('turn', 1, backoff.longestSeconds);
  const attempts = open('turns', 1, DAY_SECONDS);
  return async (key) => {
    if ((await consume(allowance, key)) === undefined) return;
    const count = (await attempts.get(key))?.consumedPoints ?? 0;
    const waitMs = await consume(wait, key, Math.min(backoff.longestSeconds, 2 ** Math.min(count, 30)));
    // A refused attempt does not extend the wait, so a stranger cannot lock the owner out.
    if (waitMs !== undefined) throw rateLimited(waitMs);
    await attempts.penalty(key);
  };
}

/** Consumes one point; returns the wait in milliseconds if none is left. */
async function consume(limiter: RateLimiterPostgres | undefined, key: string, seconds?: number) {
  try {
    await limiter?.consume(key, 1, seconds === undefined ? {} : { customDuration: seconds });
    return undefined;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return error.msBeforeNext;
  }
}

/** The refusal of a request that may be repeated after this many milliseconds. */
function rateLimited(waitMs: number): AppError {
  return new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

type Sender = { ip?: string; socket: { remoteAddress?: string | undefined } };

/**
 * Identifies a sender: an IPv4 address or an IPv6 /64; the connection's own if the proxy did not add one.
 * @throws AppError malformed_request if the sender has hung up
 */
export function networkOf({ ip, socket }: Sender): string {
  const address = [ip, socket.remoteAddress].flatMap(listCandidates).find((one) => isIP(one) !== 0);
  if (address === undefined) throw new AppError('malformed_request');
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

/** Removes what some proxies add: port, brackets of an IPv6 address, quotes, zone. */
function listCandidates(written = ''): string[] {
  const bare = written.replaceAll('"', '').replace(/%[^\]]*/, '');
  return [bare, bare.replace(/:\d+$/, '')].map((one) => one.replace(/^\[(.*)\]$/, '$1'));
}

/** Requests per minute. 1200 reads are twice as many as polling every 100 ms plus lists needs. */
const readsPerMinute = { read: 1200, download: 300, stream: 60 } as const;
export type CountedRead = keyof typeof readsPerMinute;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind that a GET below /api/ counts as; `read` by default. */
    counts?: CountedRead;
  }
}

/**
 * Limits reads by account, key or network, except answers that are the same for all. Counters are per process, so
 * that a read does not cause a write. `scale` can only raise the limits.
 */
export function limitReads(http: FastifyInstance, scale: number): void {
  const open = (points: number) => new RateLimiterMemory({ points: points * Math.max(1, scale), duration: 60 });
  const { read, download, stream } = readsPerMinute;
  const counters = { read: open(read), download: open(download), stream: open(stream) };
  // After the routes' own guards, so that 401 and 404 precede 429.
  http.addHook('preHandler', (request, _reply, done) => {
    if (request.is404 || !request.url.startsWith('/api/')) return done();
    const { config } = request.routeOptions;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || config.operation?.access === 'all') return done();
    counters[config.counts ?? 'read'].consume(rateLimitKeyOf(request)).then(
      () => done(),
      (error: Error) => done(error instanceof RateLimiterRes ? rateLimited(error.msBeforeNext) : error),
    );
  });
}

function rateLimitKeyOf(request: FastifyRequest): string {
  return findUserId(request) === undefined ? networkOf(request) : requireUser(request).rateLimitKey;
}
