import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Run } from './limits.ts';
import type { StopReason, TaskEnd, WorkerStart } from './task.ts';

const WORKER_FILE = fileURLToPath(new URL('worker.ts', import.meta.url));

// Flags that keep a worker's memory small (measured in docs/performance.md). A small young generation is collected
// often, which frees the buffers of unused pictures. New buffers trigger full collections; a higher growth factor makes
// these rarer.
export const WORKER_ARGUMENTS = ['--max-old-space-size=768', '--max-semi-space-size=16', '--heap-growing-percent=200'];

// glibc: one arena for all threads. Blocks as large as a picture are returned to the system at once; those of the small
// copy, which each step allocates anew, are not. In bytes.
export const WORKER_MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '2000000',
  MALLOC_TRIM_THRESHOLD_: '8388608',
};

/** A task assigned to a worker, and the callbacks of its caller. */
export type Assignment = Run & {
  onProgress: (percent: number) => void;
  settle: (end: TaskEnd) => void;
};

/** The pool's state of one worker process. */
export type Worker = {
  child: ChildProcess;
  isReady: boolean;
  lastSeenAtMs: number;
  freeSinceMs: number;
  tasks: number;
  rssBytes: number;
  cpuMs: number;
  assignment?: Assignment | undefined;
  stopReason?: StopReason | undefined;
  killReason?: string;
};

/** Starts a worker process without our environment: no key or setting reaches code that parses pictures. */
export function startWorker(start: WorkerStart, nowMs: number): Worker {
  const child = fork(WORKER_FILE, [JSON.stringify(start)], {
    execArgv: WORKER_ARGUMENTS,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: '', NODE_ENV: 'production', ...WORKER_MEMORY },
  });
  return { child, isReady: false, lastSeenAtMs: nowMs, freeSinceMs: nowMs, tasks: 0, rssBytes: 0, cpuMs: 0 };
}

/** Kills with SIGKILL: a worker writes only drafts, so nothing needs cleaning up. */
export function killWorker(worker: Worker, reason: string): void {
  worker.killReason ??= reason;
  worker.child.kill('SIGKILL');
}
