import type { Problem } from '../problem.ts';
import type { SkillResult } from '../skills/skills.ts';

/** What the pool and its worker processes say to each other. */

/** One piece of work. */
export type Task = {
  id: string;
  skill: string;
  input: Record<string, unknown>;
  /** Field name -> path of the picture's bytes as sent. */
  pictures: Record<string, string>;
  /** Results are written below it. */
  folder: string;
  /** A worker died of this task before: it waits no longer than it must. */
  isRepeated: boolean;
};

/** What a worker is told when it is started. */
export type WorkerStart = {
  /** Path of the card of the operator's network, where there is one. */
  card?: string;
  threads: number;
  /** Whether to load our own network before it is asked for. */
  isWarm: boolean;
};

/** How a task ended. */
export type TaskEnd =
  | { kind: 'done'; result: SkillResult }
  | { kind: 'refused'; problem: Problem }
  | { kind: 'broke'; reason: string } // the skill threw: trying again would throw again
  | { kind: 'crashed'; reason: string } // the process went: a fresh one may manage
  | { kind: 'stopped'; why: StopReason };

export type StopReason = 'cancelled' | 'time_limit' | 'closing';

/** What a worker says when it has done with its task. */
export type WorkerEnd = Extract<TaskEnd, { kind: 'done' | 'refused' | 'broke' }>;

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'beat'; rssBytes: number }
  | { kind: 'progress'; percent: number; message: string }
  | WorkerEnd;
