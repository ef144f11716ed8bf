import { useEffect } from 'react';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sessionSchema, type Session } from '@plinth/contract/auth';
import { putCredits } from '../credits/useCredits.ts';
import { ApiError, isRetryable, toApiError, type Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/toast.tsx';

export const SESSION_KEY = ['session'];
const OWNER_KEY = ['owner'];
const LEAVING_KEY = ['leaving'];
const DAY_MS = 24 * 60 * 60 * 1000;
const RETRY_MS = 60_000;

/** Who is signed in: undefined while unknown, null when nobody is. */
export function useSession() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useQuery<Session | null>({
    queryKey: SESSION_KEY,
    queryFn: () => readSession(api, queryClient),
    staleTime: Infinity,
    retry: (failures, error) => failures < 3 && isRetryable(toApiError(error)),
  });
}

async function readSession(api: Api, queryClient: QueryClient): Promise<Session | null> {
  try {
    const session = await api.send('/api/v1/session', sessionSchema);
    enterSession(queryClient, session);
    return session;
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 401) return null;
    throw cause;
  }
}

/** A session began. What another person left in this page is forgotten; the same person finds their drafts again. */
export function enterSession(queryClient: QueryClient, session: Session): void {
  const owner = queryClient.getQueryData<string>(OWNER_KEY);
  if (owner !== undefined && owner !== session.user.id) {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  }
  queryClient.setQueryDefaults(OWNER_KEY, { gcTime: Infinity });
  queryClient.setQueryData(OWNER_KEY, session.user.id);
  queryClient.setQueryData(SESSION_KEY, session);
  putCredits(queryClient, session.credits);
}

/** The person asked to leave: the goodbye is shown first, so the end of the session must not move the page. */
export function markLeaving(queryClient: QueryClient, isLeaving = true): void {
  queryClient.setQueryData(LEAVING_KEY, isLeaving);
}

export function isLeaving(queryClient: QueryClient): boolean {
  return queryClient.getQueryData(LEAVING_KEY) === true;
}

/** The session is over; drafts stay until somebody signs in again. */
export function leaveSession(queryClient: QueryClient): void {
  if (isLeaving(queryClient)) return;
  say.noMoreWork();
  queryClient.setQueryData(SESSION_KEY, null);
  queryClient.removeQueries({
    predicate: ({ queryKey }) => !['session', 'owner', 'draft'].includes(String(queryKey[0])),
  });
}

/** Extends the session before it ends, as long as this page is open. */
export function useSessionRefresh(session: Session): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { expiresAt } = session;
  useEffect(() => {
    const dueAt = Date.now() + refreshInMs(expiresAt, Date.now());
    let timer: ReturnType<typeof setTimeout>;
    const plan = (waitMs: number) => {
      // Timers beyond 24 days fire at once, so a long wait is taken day by day.
      timer = setTimeout(() => void check(), Math.min(waitMs, DAY_MS));
    };
    const check = async () => {
      if (Date.now() < dueAt) return plan(dueAt - Date.now());
      try {
        enterSession(queryClient, await api.refresh());
      } catch (cause) {
        // A refusal has ended the session already; anything else is tried again.
        if (isRetryable(toApiError(cause))) plan(RETRY_MS);
      }
    };
    void check();
    return () => clearTimeout(timer);
  }, [api, queryClient, expiresAt]);
}

/** Five minutes before the end, or half of what is left when that is less than ten. */
export function refreshInMs(expiresAt: string, nowMs: number): number {
  const leftMs = Math.max(0, Date.parse(expiresAt) - nowMs);
  return Math.max(leftMs - 5 * 60_000, leftMs / 2);
}
