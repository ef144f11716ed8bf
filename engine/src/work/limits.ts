import { findSkill } from '../skills/skills.ts';
import type { ProcessUse } from './process-use.ts';
import type { Task } from './task.ts';

/** Limits of a worker's resources and lifetime. Bytes are resident memory. */
export type PoolLimits = {
  workers: number;
  /** Tasks that may wait for a worker. */
  maxWaiting: number;
  /** CPU time per attempt at a still picture; on a busy machine wall time may be up to CLOCK_FACTOR times as long. */
  taskMs: number;
  /** CPU time per attempt at a video. */
  videoMs: number;
  recycleAfterTasks: number;
  recycleRssBytes: number;
  maxRssBytes: number;
  silenceMs: number;
  /** One idle worker stays warm, the others end after this time. */
  idleMs: number;
  /** An idle worker above this size is then replaced by a fresh process. */
  idleRssBytes: number;
  /** How long an idle worker keeps the operator's network, which takes seconds to load. */
  networkIdleMs: number;
};

const MB = 1024 * 1024;
const CLOCK_FACTOR = 3;

/** The limits for a number of workers, the resident memory of each, and a task's time. */
export function makePoolLimits(
  size: Pick<PoolLimits, 'workers' | 'taskMs' | 'videoMs'>,
  workerMegabytes: number,
): PoolLimits {
  return {
    ...size,
    maxWaiting: 16,
    recycleAfterTasks: 25,
    recycleRssBytes: 0.88 * workerMegabytes * MB,
    maxRssBytes: workerMegabytes * MB,
    silenceMs: 20_000,
    idleMs: 60_000,
    idleRssBytes: 280 * MB,
    networkIdleMs: 600_000,
  };
}

/** A running task; CPU time is undefined on systems that do not report it. */
export type Run = { task: Task; startedAtMs: number; startedAtCpuMs?: number | undefined };

/** Limits the worker's CPU time, so that a busy machine fails no task, and a multiple of it in wall time. */
export function isOverdue(limits: PoolLimits, run: Run, use: ProcessUse | undefined, nowMs: number): boolean {
  const limitMs = findSkill(run.task.skill)?.makes === 'video' ? limits.videoMs : limits.taskMs;
  const clockMs = nowMs - run.startedAtMs;
  if (!use || run.startedAtCpuMs === undefined) return clockMs > limitMs;
  return use.cpuMs - run.startedAtCpuMs > limitMs || clockMs > CLOCK_FACTOR * limitMs;
}
