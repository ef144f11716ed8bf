import { useQuery } from '@tanstack/react-query';
import type { EventBody } from '@plinth/contract/events';
import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import { beforeUrl } from '@plinth/contract/media';
import { pageSchema } from '@plinth/contract/paging';
import type { Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useMemory } from './memory.ts';
import { follow, reconcile, unfinished, type Followed } from './running.ts';

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
    queryFn: () => readRunning(api),
    staleTime: Infinity,
    refetchInterval: () => (unfinished(readFollowed()).length > 0 ? POLL_MS : false),
  });
  return { followed, isKnown: isSuccess, isAsked: isLoading };
}

async function readRunning(api: Api): Promise<string[]> {
  const lists = await Promise.all(
    ['running', 'queued'].map((status) => api.send(`/api/v1/generations?status=${status}&limit=100`, page)),
  );
  const running = lists.flatMap(({ items }) => items);
  const { followed, unsure } = reconcile(readFollowed(), running);
  useMemory.setState({ followed });
  for (const read of await Promise.all(unsure.map((id) => readGeneration(api, id).catch(() => null))))
    if (read !== null) putGeneration(read);
  return running.map(({ id }) => id);
}

export function readGeneration(api: Api, generationId: string): Promise<Generation> {
  return api.send(`/api/v1/generations/${generationId}`, generationSchema);
}

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
  const whole = await readGeneration(api, event.id).catch(() => null);
  if (whole !== null) putGeneration(whole);
}
