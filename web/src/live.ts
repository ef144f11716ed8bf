import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sentences } from '@plinth/contract/errors';
import { eventSchemas, type EventBody, type EventName } from '@plinth/contract/events';
import { isLeaving, leaveSession, SESSION_KEY, shownUser } from './auth/useSession.ts';
import { LEDGER_KEY, putCredits, refetchCredits } from './credits/useCredits.ts';
import { useMemory } from './generations/memory.ts';
import { unfinished } from './generations/running.ts';
import { applyGenerationEvent, forgetResult, readFollowed, RUNNING_KEY } from './generations/useFollowed.ts';
import { TOOLS_KEY } from './generations/useTools.ts';
import type { Api } from './platform/api.ts';
import { setClock } from './platform/clock.ts';
import { forgetKept } from './platform/kept/kept-store.ts';
import { MEDIA_KEY } from './media/media-queries.ts';
import { PURCHASES_KEY } from './payments/purchase-query.ts';
import type { StreamEvent } from './platform/stream/event-stream.ts';
import { shareStream } from './platform/stream/shared-stream.ts';
import { useApi } from './platform/useApi.ts';
import { useWindowEvent } from './platform/useWindowEvent.ts';
import { RUNS_KEY } from './runs/keys.ts';
import { say } from './ui/above/toast.tsx';

/**
 * The server's news while this person is signed in. A hidden page has a stream only while a generation of its own is
 * under way.
 */
export function useLive(userId: string): void {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    const apply = applyStreamEvents(api, queryClient);
    const stream = shareStream(api, '/api/v1/events', `events of ${userId}`, apply);
    const weigh = () => stream.need(!document.hidden ? 'first' : isWorking() ? 'in line' : 'none');
    const handleVisibility = () => {
      // Somebody else may have signed in meanwhile, in another tab.
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
      weigh();
    };
    weigh();
    const unsubscribe = useMemory.subscribe(weigh);
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

/** What each live event changes in the cached answers. Events of a newer server that we do not know are passed over. */
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

/** News comes more often than a list of many pages should be read. */
const REST_MS = 2000;

type Appliers = { [Name in EventName]: (body: EventBody<Name>) => void };

function createAppliers(api: Api, queryClient: QueryClient): Appliers {
  /** What is being refetched, or rests after that; true where there was more news meanwhile. */
  const busy = new Map<string, boolean>();
  const refetch = (...queryKey: string[]): void => {
    const name = queryKey.join(' ');
    if (busy.has(name)) return void busy.set(name, true);
    busy.set(name, false);
    const endRest = () => {
      const isDue = busy.get(name);
      busy.delete(name);
      if (isDue) refetch(...queryKey);
    };
    void queryClient.invalidateQueries({ queryKey }).then(() => setTimeout(endRest, REST_MS));
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
      // What its provider refused of a choice is not offered next time.
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
      // Most people have no catalogue under way.
      if (status === 'finished') void import('./runs/run-news.ts').then(({ sayEnd }) => sayEnd(api, id));
    },
    session: ({ reason }) => endSession(api, queryClient, reason),
    resync: () => refetchAll(queryClient),
  };
}

/** Why a session ended only the cookie tells: this browser signed out, or somebody changed the password elsewhere. */
function endSession(api: Api, queryClient: QueryClient, reason: EventBody<'session'>['reason']): void {
  if (isLeaving()) return;
  if (reason !== 'account_deleted') return void api.refresh().catch(() => undefined); // It says and does what follows.
  say.wrong(sentences.accountDeleted, { id: 'session' });
  forgetKept(shownUser() ?? '').catch(() => undefined); // This browser keeps nothing.
  leaveSession(queryClient, 'person');
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
    return null; // Not an event of ours; the schema refuses it.
  }
}
