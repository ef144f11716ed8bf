import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { EventBody } from '@plinth/contract/events';
import { generationSchema, isTerminal, type Generation, type GenerationStatus } from '@plinth/contract/generations';
import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import { beforeUrl } from '@plinth/contract/media';
import { pageSchema } from '@plinth/contract/paging';
import { tools } from '@plinth/contract/tools';
import { MEDIA_KEY } from '../media/media-queries.ts';
import type { Api } from '../platform/api.ts';
import { inOurLanguage } from '../platform/server-sentences.ts';
import { useApi } from '../platform/useApi.ts';
import { formatElapsed, plural } from '../ui/format.ts';
import { useMemory, type Followed } from './memory.ts';

export const RUNNING_KEY = ['generations', 'running'];
const page = pageSchema(generationSchema);
/** Only a fallback: updates arrive by the event stream. */
const POLL_MS = 20_000;

export const readFollowed = (): Followed => useMemory.getState().followed;

/**
 * Every generation that this page follows. `isKnown` once the server listed what runs, `isAsked` until it did or
 * failed.
 */
export function useFollowed(): { followed: Followed; isKnown: boolean; isAsked: boolean } {
  const api = useApi();
  const followed = useMemory((memory) => memory.followed);
  const { isSuccess, isLoading } = useQuery({
    queryKey: RUNNING_KEY,
    queryFn: ({ client }) => readRunning(api, client),
    staleTime: Infinity,
    refetchInterval: () => (unfinished(readFollowed()).length > 0 ? POLL_MS : false),
  });
  return { followed, isKnown: isSuccess, isAsked: isLoading };
}

async function readRunning(api: Api, client: QueryClient): Promise<string[]> {
  const lists = await Promise.all(
    ['running', 'queued'].map((status) => api.send(`/api/v1/generations?status=${status}&limit=100`, page)),
  );
  const running = lists.flatMap(({ items }) => items);
  const { followed, unsure } = reconcile(readFollowed(), running);
  useMemory.setState({ followed });
  await Promise.all(unsure.map((id) => refreshGeneration(api, id)));
  // Their events were missed, and with them those of their results.
  if (unsure.length > 0) void client.invalidateQueries({ queryKey: MEDIA_KEY });
  return running.map(({ id }) => id);
}

export function readGeneration(api: Api, generationId: string): Promise<Generation> {
  return api.send(`/api/v1/generations/${generationId}`, generationSchema);
}

/** Reads a generation anew; without an answer it stays as it is known. */
export const refreshGeneration = (api: Api, generationId: string): Promise<void> =>
  readGeneration(api, generationId).then(putGeneration, () => undefined);

export function putGeneration(generation: Generation): void {
  useMemory.setState(({ followed }) => ({ followed: follow(followed, generation) }));
}

/** Thumbnail of the photo that a generation is made from, while the server has it. */
export function useBefore(generation: Pick<Generation, 'id' | 'input'> | null): Blob | null {
  const api = useApi();
  const { data = null } = useQuery<Blob>({
    queryKey: ['before', generation?.id],
    enabled: generation !== null && generation.input !== null,
    queryFn: () => api.file(beforeUrl(generation?.id ?? '', 1280)),
    staleTime: Infinity,
  });
  return data;
}

/** A deleted result removes its generation as well: the stage must not show what no longer exists. */
export function forgetResult(mediaId: string): void {
  useMemory.setState(({ followed }) => ({ followed: followed.filter(({ result }) => result?.mediaId !== mediaId) }));
}

/**
 * Applies an event of a generation. An unknown or ended one is read in full, because the event does not contain the
 * result.
 */
export async function applyGenerationEvent(api: Api, event: EventBody<'generation'>): Promise<void> {
  if (event.runId !== undefined) return;
  const known = readFollowed().find(({ id }) => id === event.id);
  if (known !== undefined && event.status !== 'succeeded') putGeneration({ ...known, ...event });
  if (known !== undefined && !isTerminal(event.status)) return;
  await refreshGeneration(api, event.id);
}

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

/** How a generation ended. */
export function endSentence(generation: Generation): string {
  const { tool, status, error } = generation;
  if (status === 'succeeded') return tools[tool].says.done;
  if (status === 'canceled') return canceledSentence(generation);
  return error?.message ?? tools[tool].says.failed;
}

/** True while a free try or a return is still possible. */
export const isFresh = ({ finishedAt, createdAt }: Generation, now: number): boolean =>
  now - Date.parse(finishedAt ?? createdAt) < SECOND_TRY_SECONDS * 1000;
