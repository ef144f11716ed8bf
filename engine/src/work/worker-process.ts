import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Run } from './limits.ts';
import type { StopReason, TaskEnd, WorkerStart } from './task.ts';

const WORKER_FILE = fileURLToPath(new URL('worker.ts', import.meta.url));

// What keeps a worker's memory small; what it brought stands in docs/performance.md. A small nursery is swept often,
// and with it goes the memory of pictures that nobody needs any more. V8 looks through the whole heap for so many bytes
// of new buffers; it may grow by twice of what is left, so that it looks less often.
export const WORKER_ARGUMENTS = ['--max-old-space-size=768', '--max-semi-space-size=16', '--heap-growing-percent=200'];

// glibc: one heap for all threads, and what is as large as a picture goes back to the system at once, but not the bytes
// of the small copy that each step makes anew. In bytes.
export const WORKER_MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '2000000',
  MALLOC_TRIM_THRESHOLD_: '8388608',
};

/** A task that a worker has been given, and who waits for it. */
export type Assignment = Run & {
  onProgress: (percent: number, message: string) => void;
  settle: (end: TaskEnd) => void;
};

/** What the pool knows of one of its processes. */
export type Worker = {
  child: ChildProcess;
  isReady: boolean;
  heardAtMs: number;
  freeSinceMs: number;
  tasks: number;
  rssBytes: number;
  cpuMs: number;
  assignment?: Assignment | undefined;
  stopReason?: StopReason | undefined;
  killReason?: string;
};

/** Starts a process that is to hear nothing of us but its tasks: no key and no setting reaches picture code. */
export function startWorker(start: WorkerStart, nowMs: number): Worker {
  const child = fork(WORKER_FILE, [JSON.stringify(start)], {
    execArgv: WORKER_ARGUMENTS,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: '', NODE_ENV: 'production', ...WORKER_MEMORY },
  });
  return { child, isReady: false, heardAtMs: nowMs, freeSinceMs: nowMs, tasks: 0, rssBytes: 0, cpuMs: 0 };
}

/** SIGKILL at once: a worker only ever writes drafts, there is nothing to tidy up. */
export function killWorker(worker: Worker, reason: string): void {
  worker.killReason ??= reason;
  worker.child.kill('SIGKILL');
}
