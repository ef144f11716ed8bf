import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StopReason, Task, TaskEnd, WorkerStart } from './task.ts';

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
export type Assignment = {
  task: Task;
  startedAtMs: number;
  /** Undefined on systems that do not report it. */
  startedAtCpuMs?: number | undefined;
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

/** The resources that a process uses. */
export type ProcessUse = {
  /** Resident memory. */
  rssBytes: number;
  /** CPU time of all its threads. */
  cpuMs: number;
};

const TICK_MS = 10; // Linux always counts in 1/100 s (proc_pid_stat(5), USER_HZ)

/** Reads it from /proc, so that a busy process need not answer; undefined on other systems and for ended processes. */
export function readProcessUse(pid: number | undefined): ProcessUse | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the name before it may contain spaces; proc_pid_stat(5) counts fields from 1
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // in kB, independent of the page size
    const rssBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
    const cpuMs = (Number(fields[14 - 3]) + Number(fields[15 - 3])) * TICK_MS;
    return Number.isFinite(rssBytes) && Number.isFinite(cpuMs) ? { rssBytes, cpuMs } : undefined;
  } catch {
    return undefined;
  }
}
