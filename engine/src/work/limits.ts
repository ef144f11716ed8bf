import { findSkill } from '../skills/skills.ts';
import type { ProcessUse } from './process-use.ts';
import type { Task } from './task.ts';

/** Limits of a pool and its tasks. Bytes are resident memory. */
export type PoolLimits = {
  workers: number;
  /** CPU time per attempt at a still picture; on a busy machine wall time may be up to CLOCK_FACTOR times as long. */
  taskMs: number;
  /** CPU time per attempt at a video. */
  videoMs: number;
  maxRssBytes: number;
  /** Without a sign of life for this long a worker counts as hung; 20 s by default. */
  silenceMs?: number;
};

export const MEGABYTE = 1024 * 1024;

const CLOCK_FACTOR = 3;

/** A running task; CPU time is undefined on systems that do not report it. */
export type Run = { task: Task; startedAtMs: number; startedAtCpuMs?: number | undefined };

/** Limits the worker's CPU time, so that a busy machine fails no task, and a multiple of it in wall time. */
export function isOverdue(limits: PoolLimits, run: Run, use: ProcessUse | undefined, nowMs: number): boolean {
  const limitMs = findSkill(run.task.skill)?.makes === 'video' ? limits.videoMs : limits.taskMs;
  const clockMs = nowMs - run.startedAtMs;
  if (!use || run.startedAtCpuMs === undefined) return clockMs > limitMs;
  return use.cpuMs - run.startedAtCpuMs > limitMs || clockMs > CLOCK_FACTOR * limitMs;
}
