import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { EventBody } from '@plinth/contract/events';
import type { Page } from '@plinth/contract/paging';
import type { Run } from '@plinth/contract/runs';
import type { Api } from '../platform/api.ts';
import { createClientStore } from '../platform/client-store.ts';
import { readClock } from '../platform/clock.ts';
import { formatCount, plural } from '../ui/format.ts';
import { say } from '../ui/toast.tsx';
import { LIST_KEY, runKey } from './keys.ts';
import { readRun, runPath } from './useRuns.ts';
import { sayCounts } from './run-counts.ts';

/** News of a run: its counts change what is shown at once, and its end is said in one toast. */
export async function applyRunEvent(api: Api, queryClient: QueryClient, event: EventBody<'run'>): Promise<void> {
  const { id, status, counts } = event;
  const known = queryClient.getQueryData<Run>(runKey(id));
  const put = (run: Run) => (run.id === id ? { ...run, status, counts } : run);
  queryClient.setQueryData<Run>(runKey(id), (run) => run && put(run));
  const list = queryClient.setQueryData<InfiniteData<Page<Run>>>(
    LIST_KEY,
    (before) => before && { ...before, pages: before.pages.map((page) => ({ ...page, items: page.items.map(put) })) },
  );
  const isNew = list?.pages.every(({ items }) => items.every((run) => run.id !== id));
  if (isNew) void queryClient.invalidateQueries({ queryKey: LIST_KEY });
  if (status !== 'finished' && (known === undefined || known.status === status)) return;
  // Credits and the time of its end are not in the event.
  const run = await readRun(api, id).catch(() => null);
  if (run === null) return;
  queryClient.setQueryData<Run>(runKey(id), (before) => before && run);
  if (run.status === 'finished') sayEnd(run);
}

const useTold = createClientStore('session', { ends: new Set<string>() });
/** There is news of old runs, too: of items that were left out. */
const NEWS_FOR_MS = 60_000;

function sayEnd({ id, name, counts, incomplete, finishedAt }: Run): void {
  const end = `${id} ${finishedAt}`;
  const told = useTold.getState().ends;
  if (finishedAt === null || told.has(end) || readClock() - Date.parse(finishedAt) > NEWS_FOR_MS) return;
  useTold.setState({ ends: new Set([...told, end]) });
  // Its own page says all of this by itself.
  if (location.pathname === runPath(id)) return;
  const { total, succeeded } = counts;
  const toast = { id: `run-${id}` };
  const withWay = (label: string) => ({ ...toast, action: { label, to: runPath(id) } });
  if (total === 0) return;
  if (incomplete > 0)
    say.wrong(`“${name}” is done. ${sayCounts({ status: 'finished', counts, incomplete })}.`, withWay('See which'));
  else if (succeeded === total) say.done(`“${name}” is ready: ${plural(total, 'picture')}.`, toast);
  else if (succeeded > 0)
    say.done(
      `“${name}” is done: ${formatCount(succeeded)} of ${formatCount(total)} ${succeeded === 1 ? 'is' : 'are'} ready.`,
      toast,
    );
  else say.wrong(`“${name}” is done, but nothing came of it.`, withWay('See why'));
}
