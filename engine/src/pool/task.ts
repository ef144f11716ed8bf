import type { Candidate } from '../refusal.ts';
import type { SkillResult } from '../skills/skills.ts';

/** The messages between the pool and its worker processes. */

/** A piece of work for one worker. */
export type Task = {
  id: string;
  skill: string;
  input: Record<string, unknown>;
  /** Field name -> path of the uploaded picture. */
  pictures: Record<string, string>;
  /** The folder for results. */
  folder: string;
};

/** A worker's start parameters. */
export type WorkerStart = {
  /** Path of the operator's network card, if there is one. */
  card?: string | undefined;
  threads: number;
  /** True to load our own network ahead of the first task. */
  preloads: boolean;
};

/** How a task ended. */
export type TaskEnd =
  | { kind: 'done'; result: SkillResult }
  | { kind: 'refused'; message: string; candidate?: Candidate | undefined }
  | { kind: 'broke'; reason: string } // the skill threw: a retry would throw again
  | { kind: 'crashed'; reason: string } // the process died: a retry may succeed
  | { kind: 'stopped'; reason: StopReason };

export type StopReason = 'cancelled' | 'time_limit' | 'closing';

/** A worker's message at the end of its task. */
export type WorkerEnd = Extract<TaskEnd, { kind: 'done' | 'refused' | 'broke' }>;

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'beat'; rssBytes: number }
  | { kind: 'progress'; percent: number }
  | WorkerEnd;
