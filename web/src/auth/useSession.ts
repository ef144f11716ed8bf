import { useEffect } from 'react';
import { notifyManager, queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sessionSchema, type Session } from '@plinth/contract/auth';
import { putCredits } from '../credits/useCredits.ts';
import { ApiError, isRetryable, toApiError, type Api } from '../platform/api.ts';
import { readClock } from '../platform/clock.ts';
import { createClientStore, resetClientStores, type Lifetime } from '../platform/kept/client-store.ts';
import { openKeptStores } from '../platform/kept/kept-store.ts';
import { useApi } from '../platform/useApi.ts';

export const SESSION_KEY = ['session'];
const CHECK_MS = 60_000;

/** The user whose forms are in this page, and whether that user asked to sign out. */
const useOwner = createClientStore('person', { id: null as string | null, isLeaving: false });

export function useSession() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useQuery(sessionQuery(api, queryClient));
}

export function sessionQuery(api: Api, queryClient: QueryClient) {
  return queryOptions<Session | null>({
    queryKey: SESSION_KEY,
    queryFn: () => readSession(api, queryClient),
    staleTime: Infinity,
    retry: (failures, error) => failures < 3 && isRetryable(toApiError(error)),
  });
}

async function readSession(api: Api, queryClient: QueryClient): Promise<Session | null> {
  try {
    const session = await api.send('/api/v1/session', sessionSchema, { isForAnyone: true });
    enterSession(queryClient, session);
    return session;
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 401) return null;
    throw cause;
  }
}

/** Starts a session. Drafts of another user are forgotten; the same user gets their own back. */
export function enterSession(queryClient: QueryClient, session: Session): void {
  const { id } = useOwner.getState();
  if (id !== null && id !== session.user.id) forget(queryClient, 'person');
  useOwner.setState({ id: session.user.id });
  openKeptStores(session.user.id);
  queryClient.setQueryData(SESSION_KEY, session);
  putCredits(queryClient, session.credits);
}

export const shownUser = (): string | null => useOwner.getState().id;

/** The user asked to sign out: the goodbye screen comes first, so the session's end must not navigate. */
export function markLeaving(isLeaving = true): void {
  useOwner.setState({ isLeaving });
}

export function isLeaving(): boolean {
  return useOwner.getState().isLeaving;
}

/** Ends the session. Drafts stay until the next sign-in, unless this user can never return. */
export function leaveSession(queryClient: QueryClient, ended: Lifetime = 'session'): void {
  if (isLeaving()) return;
  queryClient.setQueryData(SESSION_KEY, null);
  // Waits until the gate has handled it: a screen that is still mounted would refetch what is forgotten.
  notifyManager.schedule(() => forget(queryClient, ended));
}

function forget(queryClient: QueryClient, ended: Lifetime): void {
  resetClientStores(ended);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
}

/** Extends the session before it ends, as long as this page is open. */
export function useSessionRefresh(session: Session): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { expiresAt } = session;
  useEffect(() => {
    const dueAt = readClock() + refreshInMs(expiresAt, readClock());
    // The local clock may be wrong by hours. A refusal ends the session; any other failure is retried.
    const check = () => {
      if (readClock() < dueAt) return;
      api.refresh().then(
        (next) => enterSession(queryClient, next),
        () => undefined,
      );
    };
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [api, queryClient, expiresAt]);
}

function refreshInMs(expiresAt: string, nowMs: number): number {
  const leftMs = Math.max(0, Date.parse(expiresAt) - nowMs);
  return Math.max(leftMs - 5 * 60_000, leftMs / 2);
}
