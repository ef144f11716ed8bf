import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from './errors.ts';

/** How many requests of a kind one key may make in how many seconds. */
const kinds = {
  signInAddress: { points: 300, seconds: 900 },
  signInAccount: { points: 10, seconds: 900 },
  signUp: { points: 100, seconds: 3600 },
  refresh: { points: 600, seconds: 900 },
  passwordChange: { points: 20, seconds: 3600 },
  accountDeletion: { points: 10, seconds: 900 },
  accountExport: { points: 10, seconds: 3600 },
  googleStart: { points: 100, seconds: 900 },
  purchase: { points: 60, seconds: 600 },
  generation: { points: 200, seconds: 60 },
} as const;
export type LimitKind = keyof typeof kinds;

export type RequestLimits = {
  /** Counts one request. @throws AppError rate_limited when there were too many */
  count: (kind: LimitKind, key: string) => Promise<void>;
  /** Forgets what was counted, after a success that shows nobody is guessing. */
  forget: (kind: LimitKind, key: string) => Promise<void>;
};

/** Counters in the database: they survive a restart and hold for all processes together. `scale` multiplies the allowances. */
export function openRequestLimits(pool: pg.Pool, scale: number): RequestLimits {
  const limiters = new Map(
    Object.entries(kinds).map(([kind, { points, seconds }]) => [
      kind,
      new RateLimiterPostgres({
        storeClient: pool,
        tableName: 'request_limits',
        tableCreated: true,
        keyPrefix: kind,
        points: Math.max(1, Math.round(points * scale)),
        duration: seconds,
      }),
    ]),
  );
  return {
    count: async (kind, key) => {
      try {
        await limiters.get(kind)?.consume(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
      }
    },
    forget: async (kind, key) => {
      await limiters.get(kind)?.delete(key);
    },
  };
}
