import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import { isTerminal, type Generation, type GenerationStatus } from '@plinth/contract/generations';
import { inOurLanguage } from '../platform/server-sentences.ts';
import { formatElapsed, plural } from '../ui/format.ts';

/**
 * The generations that this page follows, newest first: active ones, and those that ended since the page was opened.
 */
export type Followed = readonly Generation[];

const RANK: Record<GenerationStatus, number> = { queued: 0, running: 1, succeeded: 2, failed: 2, canceled: 2 };

/** Answers and events may arrive out of order: a status never goes back, and an ended one stays. */
export function follow(followed: Followed, received: Generation): Followed {
  const generation = inLanguage(received);
  const known = followed.find(({ id }) => id === generation.id);
  if (known === undefined) return [generation, ...followed].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  if (RANK[generation.status] < RANK[known.status]) return followed;
  return followed.map((one) => (one.id === generation.id ? generation : one));
}

function inLanguage(generation: Generation): Generation {
  const { progress, error } = generation;
  return {
    ...generation,
    progress: { ...progress, message: inOurLanguage(progress.message) },
    error: error && { ...error, message: inOurLanguage(error.message) },
  };
}

/**
 * Replaces our active generations with the server's list. Those missing from it must be read one by one. Items of runs
 * are followed by their run, not here.
 */
export function reconcile(followed: Followed, listed: readonly Generation[]) {
  const running = listed.filter(({ runId }) => runId === undefined);
  const unsure = followed.filter(({ id, status }) => !isTerminal(status) && !running.some((one) => one.id === id));
  return { followed: running.reduce(follow, followed), unsure: unsure.map(({ id }) => id) };
}

export function unfinished(followed: Followed): Followed {
  return followed.filter(({ status }) => !isTerminal(status));
}

/** List entry of an active generation. */
export const sayWork = ({ status, progress, createdAt }: Generation, now: number): string =>
  `${status === 'queued' ? 'Waiting its turn' : progress.message} ${formatElapsed(now - Date.parse(createdAt))}`;

/** A free second try has nothing to refund. */
export function canceledSentence({ cost, refunded }: Generation): string {
  return refunded ? `Canceled. ${plural(cost, 'credit')} returned.` : 'Canceled.';
}

/** True while a free try or a return is still possible. */
export const isFresh = ({ finishedAt, createdAt }: Generation, now: number): boolean =>
  now - Date.parse(finishedAt ?? createdAt) < SECOND_TRY_SECONDS * 1000;
