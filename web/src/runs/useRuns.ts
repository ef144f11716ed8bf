import { useEffect, useRef } from 'react';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { PAGE_LIMIT_MAX } from '@plinth/contract/limits';
import { pageSchema } from '@plinth/contract/paging';
import { runItemSchema, runSchema, type Run, type RunItem } from '@plinth/contract/runs';
import { LIST_KEY, runKey, RUNS_KEY } from './keys.ts';
import type { Api } from '../platform/api.ts';
import { usePages } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';

const itemsKey = (runId: string) => [...RUNS_KEY, 'items', runId];

const itemPage = pageSchema(runItemSchema);
/** For each of the requests that all items of a run take: news come more often than that should be asked. */
const PAGE_EVERY_MS = 600;
/** Only a safety net: news comes by the event stream. */
const POLL_MS = 20_000;

export const runPath = (runId: string) => `/dashboard/catalogue/${runId}`;

export function useRunList() {
  return usePages(LIST_KEY, '/api/v1/runs?limit=20', runSchema);
}

export function useRun(runId: string) {
  const api = useApi();
  return useQuery({
    queryKey: runKey(runId),
    queryFn: () => readRun(api, runId),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.status === 'open' || data?.status === 'closed' ? POLL_MS : false),
  });
}

export function readRun(api: Api, runId: string): Promise<Run> {
  return api.send(`/api/v1/runs/${runId}`, runSchema);
}

export function useRunItems({ id, counts }: Pick<Run, 'id' | 'counts'>) {
  const api = useApi();
  const items = useQuery({ queryKey: itemsKey(id), queryFn: () => readItems(api, id), staleTime: 0 });
  const { refetch, dataUpdatedAt } = items;
  const told = JSON.stringify(counts);
  // What is over is not said while some of it still stands there as being made.
  const isAtWork = counts.queued + counts.running > 0;
  const everyMs = isAtWork ? PAGE_EVERY_MS * Math.ceil(counts.total / PAGE_LIMIT_MAX) : 0;
  const seen = useRef(told);
  useEffect(() => {
    if (seen.current === told) return undefined;
    const timer = setTimeout(
      () => {
        seen.current = told;
        void refetch();
      },
      Math.max(0, dataUpdatedAt + everyMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [told, everyMs, dataUpdatedAt, refetch]);
  return items;
}

/** Whether its picture was made and is no longer there. */
export const isDeleted = ({ generation }: RunItem): boolean =>
  generation.status === 'succeeded' && generation.result === null;

/** Takes a picture that the server no longer has out of what is known of its run. */
export function forgetPicture(queryClient: QueryClient, runId: string, mediaId: string): void {
  const forget = (item: RunItem): RunItem =>
    item.generation.result?.mediaId === mediaId
      ? { ...item, generation: { ...item.generation, result: null }, missingFiles: [] }
      : item;
  queryClient.setQueryData<RunItem[]>(itemsKey(runId), (items) => items?.map(forget));
}

async function readItems(api: Api, runId: string): Promise<RunItem[]> {
  const items: RunItem[] = [];
  let cursor = '';
  for (;;) {
    const page = await api.send(`/api/v1/runs/${runId}/items?limit=${PAGE_LIMIT_MAX}${cursor}`, itemPage);
    items.push(...page.items);
    if (page.nextCursor === null) return items.reverse();
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}
