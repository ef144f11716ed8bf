import { findSkill } from '../skills/skills.ts';
import type { ProcessUse } from './process-use.ts';
import type { Task } from './task.ts';

/** What a worker may take and how long it is kept. Bytes are of resident memory. */
export type PoolLimits = {
  workers: number;
  /** Tasks that may wait for a worker. */
  mostWaiting: number;
  /**
   * Processor time of one attempt at a still picture; on a busy machine the clock may show up to CLOCK_FACTOR times
   * that.
   */
  taskMs: number;
  /** And at a video. */
  videoMs: number;
  recycleAfterTasks: number;
  recycleRssBytes: number;
  maxRssBytes: number;
  silenceMs: number;
  /** One worker stays warm for ever, the others go after this time. */
  idleMs: number;
  /** After that time a fresh process takes the place of a warm one that is larger than this. */
  idleRssBytes: number;
  /** For so long a warm worker keeps the operator's network, which takes seconds to load. */
  networkIdleMs: number;
};

const MB = 1024 * 1024;
const CLOCK_FACTOR = 3;

/** The limits for so many workers of at most so much resident memory each, and so much time for a task. */
export function makePoolLimits(
  size: Pick<PoolLimits, 'workers' | 'taskMs' | 'videoMs'>,
  workerMegabytes: number,
): PoolLimits {
  return {
    ...size,
    mostWaiting: 16,
    recycleAfterTasks: 25,
    recycleRssBytes: 0.88 * workerMegabytes * MB,
    maxRssBytes: workerMegabytes * MB,
    silenceMs: 20_000,
    idleMs: 60_000,
    idleRssBytes: 280 * MB,
    networkIdleMs: 600_000,
  };
}

/** A task under way; processor time is unknown where the system does not tell. */
export type Run = { task: Task; startedAtMs: number; startedAtCpuMs?: number | undefined };

/** Counts its worker's processor time, so that a busy machine fails nobody, and a share of the clock as well. */
export function isOverdue(limits: PoolLimits, run: Run, use: ProcessUse | undefined, nowMs: number): boolean {
  const limitMs = findSkill(run.task.skill)?.makes === 'video' ? limits.videoMs : limits.taskMs;
  const clockMs = nowMs - run.startedAtMs;
  if (!use || run.startedAtCpuMs === undefined) return clockMs > limitMs;
  return use.cpuMs - run.startedAtCpuMs > limitMs || clockMs > CLOCK_FACTOR * limitMs;
}
