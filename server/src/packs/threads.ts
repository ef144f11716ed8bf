import { Tinypool } from 'tinypool';
import { AppError } from '../platform/errors.ts';
import type * as work from './thread.ts';

type Work = typeof work;
/** Worker threads for per-pixel work, which would block the event loop. */
export type Threads = Work & { stop: () => Promise<void> };

// Each holds one picture at a time; sharp uses several cores by itself.
const MAX_THREADS = 2;
const IDLE_MS = 30_000;
/** Time limit per picture including its wait for a thread, shorter than the browser's timeout. */
const LIMIT_MS = 25_000;

/** Each job @throws AppError temporarily_unavailable for a picture that takes too long. */
export function startThreads(limitMs = LIMIT_MS): Threads {
  const pool = new Tinypool({
    filename: new URL('thread.ts', import.meta.url).href,
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
  });
  const run = <Name extends keyof Work>(name: Name) =>
    ((job: object) => {
      const signal = AbortSignal.timeout(limitMs);
      const result: Promise<unknown> = pool.run(job, { name, signal });
      return result.catch((cause: unknown) => {
        throw signal.aborted ? new AppError('temporarily_unavailable', { retryAfterSeconds: 5, cause }) : cause;
      });
    }) as Work[Name];
  return {
    render: run('render'),
    preview: run('preview'),
    shadowCaster: run('shadowCaster'),
    subject: run('subject'),
    engineCopy: run('engineCopy'),
    measure: run('measure'),
    stop: () => pool.destroy(),
  };
}
