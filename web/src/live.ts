import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sentences } from '@plinth/contract/errors';
import { eventSchemas, type EventBody, type EventName } from '@plinth/contract/events';
import { isLeaving, leaveSession, SESSION_KEY } from './auth/useSession.ts';
import { LEDGER_KEY, putCredits, refetchCredits } from './credits/useCredits.ts';
import { unfinished } from './generations/running.ts';
import { applyGenerationEvent, forgetResult, readFollowed, RUNNING_KEY } from './generations/useFollowed.ts';
import type { Api } from './platform/api.ts';
import { setClock } from './platform/clock.ts';
import { MEDIA_KEY } from './media/media-queries.ts';
import { PURCHASES_KEY } from './payments/purchase-query.ts';
import { readEvents, type StreamEvent } from './platform/event-stream.ts';
import { useApi } from './platform/useApi.ts';
import { applyRunEvent } from './runs/run-news.ts';
import { RUNS_KEY } from './runs/useRuns.ts';
import { say } from './ui/toast.tsx';

/** A hidden page with nothing to wait for lets its stream go: a browser opens only six lines to a server. */
const HIDDEN_MS = 60_000;

/** One event stream per page, open while somebody is signed in. */
export function useLive(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    let end: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout>;
    const open = () => {
      end = new AbortController();
      void readEvents(api, '/api/v1/events', end.signal, {
        onEvent: (event) => applyStreamEvent(api, queryClient, event),
        onGap: () => refetchAll(queryClient),
      });
    };
    const rest = () => {
      if (unfinished(readFollowed()).length > 0) timer = setTimeout(rest, HIDDEN_MS);
      else {
        end?.abort();
        end = null;
      }
    };
    const handleVisibility = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(rest, HIDDEN_MS);
      // Somebody else may have signed in meanwhile, in another tab.
      else void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
      if (!document.hidden && end === null) {
        open();
        refetchAll(queryClient);
      }
    };
    const handleOnline = () => refetchAll(queryClient);
    open();
    document.addEventListener('visibilitychange', handleVisibility);
    window.addEventListener('online', handleOnline);
    return () => {
      clearTimeout(timer);
      end?.abort();
      document.removeEventListener('visibilitychange', handleVisibility);
      window.removeEventListener('online', handleOnline);
    };
  }, [api, queryClient]);
}

/** What each live event changes in the cached answers. Events of a newer server that we do not know are passed over. */
export function applyStreamEvent(api: Api, queryClient: QueryClient, event: StreamEvent): void {
  if (!isEventName(event.name)) return;
  const parsed = eventSchemas[event.name].safeParse(parseJson(event.data));
  if (!parsed.success) return;
  const apply = appliers(api, queryClient)[event.name] as (body: unknown) => void;
  apply(parsed.data);
}

type Appliers = { [Name in EventName]: (body: EventBody<Name>) => void };

function appliers(api: Api, queryClient: QueryClient): Appliers {
  const refetch = (...queryKey: string[]) => void queryClient.invalidateQueries({ queryKey });
  return {
    hello: ({ credits, serverTime }) => {
      putCredits(queryClient, credits);
      setClock(serverTime);
    },
    credits: ({ credits }) => {
      putCredits(queryClient, credits);
      refetch(...LEDGER_KEY);
    },
    generation: (body) => void applyGenerationEvent(api, body),
    media: ({ action, id }) => {
      if (action !== 'created') forgetResult(id);
      refetch(...MEDIA_KEY);
    },
    purchase: () => refetch(...PURCHASES_KEY),
    run: (body) => void applyRunEvent(api, queryClient, body),
    session: ({ reason }) => endSession(api, queryClient, reason),
    resync: () => refetchAll(queryClient),
  };
}

/** Why a session ended only the cookie tells: this browser signed out, or somebody changed the password elsewhere. */
function endSession(api: Api, queryClient: QueryClient, reason: EventBody<'session'>['reason']): void {
  if (isLeaving()) return;
  if (reason !== 'account_deleted') return void api.refresh().catch(() => undefined); // It says and does what follows.
  say.wrong(sentences.accountDeleted, { id: 'session' });
  leaveSession(queryClient);
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
