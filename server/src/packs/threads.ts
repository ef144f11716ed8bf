import { Tinypool } from 'tinypool';
import type * as work from './thread.ts';

type Work = typeof work;
/** Threads for what looks at every pixel: the event loop goes on meanwhile. */
export type Threads = Work & { stop: () => Promise<void> };

// Each holds one picture at a time; sharp works with several cores by itself.
const MOST = 2;
const IDLE_MS = 30_000;

export function startThreads(): Threads {
  const pool = new Tinypool({
    filename: new URL('thread.ts', import.meta.url).href,
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: MOST,
    idleTimeout: IDLE_MS,
  });
  const run = <Name extends keyof Work>(name: Name) => ((given: object) => pool.run(given, { name })) as Work[Name];
  return {
    render: run('render'),
    preview: run('preview'),
    stand: run('stand'),
    subject: run('subject'),
    show: run('show'),
    measure: run('measure'),
    stop: () => pool.destroy(),
  };
}
