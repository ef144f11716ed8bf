import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { EventBody } from '@plinth/contract/events';
import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import { pageSchema } from '@plinth/contract/paging';
import type { Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { applyEvent, follow, reconcile, unfinished, type Followed } from './running.ts';

export const FOLLOWED_KEY = ['generations', 'followed'];
const NOTHING: Followed = [];
const page = pageSchema(generationSchema);
/** Only a safety net: news comes by the event stream. */
const POLL_MS = 20_000;

/** Every generation this page follows. */
export function useFollowed(queryClient: QueryClient): { followed: Followed; isKnown: boolean } {
  const api = useApi();
  const { data } = useQuery<Followed>({
    queryKey: FOLLOWED_KEY,
    queryFn: () => readFollowed(api, queryClient),
    staleTime: Infinity,
    refetchInterval: (query) => (unfinished(query.state.data ?? NOTHING).length > 0 ? POLL_MS : false),
  });
  return { followed: data ?? NOTHING, isKnown: data !== undefined };
}

async function readFollowed(api: Api, queryClient: QueryClient): Promise<Followed> {
  const [running, queued] = await Promise.all(
    ['running', 'queued'].map((status) => api.send(`/api/v1/generations?status=${status}&limit=100`, page)),
  );
  const known = queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? NOTHING;
  const { followed, unsure } = reconcile(known, [...(running?.items ?? []), ...(queued?.items ?? [])]);
  const read = await Promise.all(unsure.map((id) => readGeneration(api, id).catch(() => null)));
  // What was accepted while these answers were under way must not be lost.
  const late = queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? NOTHING;
  return [...late, ...read.filter((one) => one !== null)].reduce(follow, followed);
}

export function readGeneration(api: Api, generationId: string): Promise<Generation> {
  return api.send(`/api/v1/generations/${generationId}`, generationSchema);
}

export function putGeneration(queryClient: QueryClient, generation: Generation): void {
  queryClient.setQueryData<Followed>(FOLLOWED_KEY, (followed) => follow(followed ?? NOTHING, generation));
}

/** A result that is no longer there takes its generation with it: nothing stands on a stage that cannot be kept. */
export function forgetResult(queryClient: QueryClient, mediaId: string): void {
  queryClient.setQueryData<Followed>(FOLLOWED_KEY, (followed) =>
    followed?.filter(({ result }) => result?.mediaId !== mediaId),
  );
}

/** News of a generation; reads it whole when the event alone does not tell enough. */
export async function applyGenerationEvent(
  api: Api,
  queryClient: QueryClient,
  event: EventBody<'generation'>,
): Promise<void> {
  if (event.runId !== undefined) return;
  const followed = queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? NOTHING;
  const next = applyEvent(followed, event);
  if (next !== null) queryClient.setQueryData(FOLLOWED_KEY, next);
  if (next === null || isTerminal(event.status)) {
    const whole = await readGeneration(api, event.id).catch(() => null);
    if (whole !== null) putGeneration(queryClient, whole);
  }
}
