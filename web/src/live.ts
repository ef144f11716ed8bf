import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { eventSchemas, type EventBody, type EventName } from '@plinth/contract/events';
import { handleSessionEnd, SESSION_KEY } from './auth/useSession.ts';
import { LEDGER_KEY, putCredits, refetchCredits } from './credits/useCredits.ts';
import { useMemory } from './generations/memory.ts';
import { unfinished, applyGenerationEvent, forgetResult, readFollowed, RUNNING_KEY } from './generations/followed.ts';
import { TOOLS_KEY } from './generations/useTools.ts';
import type { Api } from './platform/api.ts';
import { setClock } from './platform/clock.ts';
import { MEDIA_KEY } from './media/media-queries.ts';
import { PURCHASES_KEY } from './payments/purchase-query.ts';
import type { StreamEvent } from './platform/stream/event-stream.ts';
import { shareStream } from './platform/stream/shared-stream.ts';
import { useApi } from './platform/useApi.ts';
import { useWindowEvent } from './platform/useWindowEvent.ts';
import { RUNS_KEY } from './runs/keys.ts';

/**
 * The server's events while this user is signed in. A hidden page only keeps a stream while a generation of its own
 * runs.
 */
export function useLive(userId: string): void {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    const apply = applyStreamEvents(api, queryClient);
    const stream = shareStream(api, '/api/v1/events', `events of ${userId}`, apply);
    const updateNeed = () => stream.need(!document.hidden ? 'first' : isWorking() ? 'in line' : 'none');
    const handleVisibility = () => {
      // Another user may have signed in in another tab.
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
      updateNeed();
    };
    updateNeed();
    const unsubscribe = useMemory.subscribe(updateNeed);
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      unsubscribe();
      stream.close();
      document.removeEventListener('visibilitychange', handleVisibility);
    };
  }, [api, queryClient, userId]);
  useWindowEvent('online', () => refetchAll(queryClient));
}

const isWorking = () => unfinished(readFollowed()).length > 0;

/** Updates the cached responses for each live event. Unknown events of a newer server are ignored. */
export function applyStreamEvents(api: Api, queryClient: QueryClient) {
  const appliers = createAppliers(api, queryClient);
  return (event: Pick<StreamEvent, 'name' | 'data'>): void => {
    if (!isEventName(event.name)) return;
    const parsed = eventSchemas[event.name].safeParse(parseJson(event.data));
    if (!parsed.success) return;
    const apply = appliers[event.name] as (body: unknown) => void;
    apply(parsed.data);
  };
}

/** Events arrive more often than a list of many pages should be refetched. */
const COOLDOWN_MS = 2000;

type Appliers = { [Name in EventName]: (body: EventBody<Name>) => void };

function createAppliers(api: Api, queryClient: QueryClient): Appliers {
  /** Queries being refetched or pausing after that; true if another event arrived meanwhile. */
  const busy = new Map<string, boolean>();
  const refetch = (...queryKey: string[]): void => {
    const name = queryKey.join(' ');
    if (busy.has(name)) return void busy.set(name, true);
    busy.set(name, false);
    const endCooldown = () => {
      const isDue = busy.get(name);
      busy.delete(name);
      if (isDue) refetch(...queryKey);
    };
    void queryClient.invalidateQueries({ queryKey }).then(() => setTimeout(endCooldown, COOLDOWN_MS));
  };
  return {
    hello: ({ credits, serverTime }) => {
      putCredits(queryClient, credits);
      setClock(serverTime);
    },
    credits: ({ credits }) => {
      putCredits(queryClient, credits);
      refetch(...LEDGER_KEY);
    },
    generation: (body) => {
      void applyGenerationEvent(api, body);
      // A choice that the provider rejected is no longer offered.
      if (body.status === 'failed' && body.runId === undefined) refetch(...TOOLS_KEY);
    },
    media: ({ action, id }) => {
      refetch(...MEDIA_KEY);
      if (action === 'created') return;
      forgetResult(id);
      refetch(...RUNS_KEY);
    },
    purchase: () => refetch(...PURCHASES_KEY),
    run: ({ id, status }) => {
      refetch(...RUNS_KEY);
      // Most users have no active run.
      if (status === 'finished') void import('./runs/useRuns.ts').then(({ announceEnd }) => announceEnd(api, id));
    },
    session: ({ reason }) => handleSessionEnd(api, queryClient, reason === 'account_deleted'),
    resync: () => refetchAll(queryClient),
  };
}

function refetchAll(queryClient: QueryClient): void {
  refetchCredits(queryClient);
  for (const queryKey of [RUNNING_KEY, MEDIA_KEY, PURCHASES_KEY, RUNS_KEY])
    void queryClient.invalidateQueries({ queryKey });
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventSchemas, name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // Not one of our events; the schema rejects it.
  }
}
