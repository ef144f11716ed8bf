import type { PackSubject } from '@plinth/contract/packs';
import { Tinypool } from 'tinypool';
import type { Measures, Shown } from './measure.ts';
import type { Rendered, standProduct } from './render.ts';
import type { ToRender } from './thread.ts';

/** Threads for what looks at every pixel: the event loop goes on meanwhile. */
export type Threads = {
  render: (given: ToRender) => Promise<Rendered>;
  preview: (given: ToRender) => Promise<Rendered>;
  stand: (given: ToRender) => ReturnType<typeof standProduct>;
  subject: (content: Uint8Array) => Promise<PackSubject>;
  show: (content: Uint8Array) => Promise<Shown>;
  measure: (content: Uint8Array, mask: Uint8Array | undefined) => Promise<Measures>;
  stop: () => Promise<void>;
};

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
  const run = <Answer>(name: string, given: object) => pool.run(given, { name }) as Promise<Answer>;
  return {
    render: (given) => run('render', given),
    preview: (given) => run('preview', given),
    stand: (given) => run('stand', given),
    subject: (content) => run('subject', { content }),
    show: (content) => run('show', { content }),
    measure: (content, mask) => run('measure', { content, mask }),
    stop: () => pool.destroy(),
  };
}
