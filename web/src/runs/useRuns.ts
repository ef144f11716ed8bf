import { useQuery } from '@tanstack/react-query';
import { isTerminal } from '@plinth/contract/generations';
import { PAGE_LIMIT_MAX } from '@plinth/contract/limits';
import { pageSchema } from '@plinth/contract/paging';
import { runItemSchema, runSchema, type Run, type RunItem } from '@plinth/contract/runs';
import { LIST_KEY, runKey, RUNS_KEY } from './keys.ts';
import type { Api } from '../platform/api.ts';
import { readClock } from '../platform/clock.ts';
import { usePages } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/above/toast.tsx';
import { sayCounts } from './run-sentences.ts';

export const itemsKey = (runId: string) => [...RUNS_KEY, 'items', runId];

const itemPage = pageSchema(runItemSchema);
/** Only a fallback: updates arrive by the event stream. */
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
    refetchInterval: ({ state: { data } }) => (isGoingOn(data?.status) ? POLL_MS : false),
  });
}

export function readRun(api: Api, runId: string): Promise<Run> {
  return api.send(`/api/v1/runs/${runId}`, runSchema);
}

export function useRunItems({ id, status }: Pick<Run, 'id' | 'status'>) {
  const api = useApi();
  return useQuery({
    queryKey: itemsKey(id),
    queryFn: () => readItems(api, id),
    staleTime: 0,
    // A finished run is not shown as final while some of its items still show as active.
    refetchInterval: ({ state: { data } }) =>
      isGoingOn(status) || data?.some(({ generation }) => !isTerminal(generation.status)) ? POLL_MS : false,
  });
}

const isGoingOn = (status?: Run['status']) => status === 'open' || status === 'closed';

/** True if its picture was made and no longer exists. */
export const isDeleted = ({ generation }: RunItem): boolean =>
  generation.status === 'succeeded' && generation.result === null;

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

/** Events also arrive for old runs, when items were left out. */
const NEWS_FOR_MS = 60_000;

/** Runs whose end was announced: events of left out items follow. */
const announced = new Set<string>();

/** Announces in one toast how a catalogue ended, unless its own page shows it. */
export async function announceEnd(api: Api, runId: string): Promise<void> {
  const run = await readRun(api, runId).catch(() => null);
  if (run?.status !== 'finished' || run.finishedAt === null || run.counts.total === 0) return;
  if (readClock() - Date.parse(run.finishedAt) > NEWS_FOR_MS || location.pathname === runPath(runId)) return;
  const end = `${runId} ${run.finishedAt}`;
  if (announced.has(end)) return;
  announced.add(end);
  const sentence = `“${run.name}” is done. ${sayCounts(run)}.`;
  const id = `run-${runId}`;
  if (run.counts.failed + run.incomplete === 0) return say.done(sentence, { id });
  say.wrong(sentence, { id, action: { label: 'See which', to: runPath(runId) } });
}
