import { useEffect } from 'react';
import { queryOptions, useQueryClient, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { sessionSchema, type Session } from '@plinth/contract/auth';
import { sentences } from '@plinth/contract/errors';
import { putCredits } from '../credits/useCredits.ts';
import { toApiError, type Api } from '../platform/api.ts';
import { readClock } from '../platform/clock.ts';
import { clearWebStorages } from '../platform/storage/database.ts';
import { deleteStored, openPersistentStores } from '../platform/storage/persistent-store.ts';
import { useApi } from '../platform/useApi.ts';
import { sayOnNextPage } from '../ui/above/toast.tsx';
import { leaveTyped } from '../ui/fields/typed.ts';
import { loginPath } from './return-path.ts';

export const SESSION_KEY = ['session'];
const CHECK_MS = 60_000;

/** True once the user signs out or deletes the account: these show their own sentence instead of the session's end. */
let isLeaving = false;

export function markLeaving(isNow = true): void {
  isLeaving = isNow;
}

export function useSession(): Session {
  const api = useApi();
  const queryClient = useQueryClient();
  return useSuspenseQuery(sessionQuery(api, queryClient)).data;
}

export function sessionQuery(api: Api, queryClient: QueryClient) {
  return queryOptions({
    queryKey: SESSION_KEY,
    queryFn: () => readSession(api, queryClient),
    staleTime: Infinity,
  });
}

/** Never resolves if this page is being left: without a session, or with one of another user. */
async function readSession(api: Api, queryClient: QueryClient): Promise<Session> {
  const session = await api.send('/api/v1/session', sessionSchema, { isForAnyone: true }).catch((cause: unknown) => {
    if (toApiError(cause).status === 401) return null;
    throw cause;
  });
  if (session !== null && enterSession(queryClient, session)) return session;
  return neverResolves();
}

/** Starts or extends the session. Reloads the page and returns false if it shows another user. */
export function enterSession(queryClient: QueryClient, session: Session): boolean {
  const { id } = session.user;
  const shown = shownUser(queryClient);
  if (shown !== null && shown !== id) {
    window.location.reload();
    return false;
  }
  if (shown === null) openPersistentStores(id);
  queryClient.setQueryData(SESSION_KEY, session);
  putCredits(queryClient, session.credits);
  return true;
}

export const shownUser = (queryClient: QueryClient): string | null =>
  queryClient.getQueryData<Session>(SESSION_KEY)?.user.id ?? null;

/** Replaces the app by another page. A browser may restore this one from its back/forward cache; then it reloads. */
export function leaveTo(path: string): void {
  window.addEventListener('pageshow', () => window.location.reload());
  window.location.replace(path);
}

/** Awaited by code that must not go on while the page is being left. */
export const neverResolves = () => new Promise<never>(() => {});

/** Leaves for the login page, which leads back here with what was typed. */
export function leaveSession(queryClient: QueryClient, sentence: string | null): void {
  if (isLeaving) return;
  // A browser may forbid them.
  clearWebStorages().catch(() => undefined);
  if (sentence !== null) sayOnNextPage('wrong', sentence);
  const userId = shownUser(queryClient);
  if (userId !== null) window.addEventListener('pagehide', () => leaveTyped(userId), { once: true });
  const { pathname, search, hash } = window.location;
  leaveTo(loginPath(pathname + search + hash, sentence !== null || userId !== null));
}

/** Leaves the session of a deleted account. Nothing of it is kept in this browser. */
export async function leaveAccount(userId: string, kind: 'done' | 'wrong'): Promise<void> {
  isLeaving = true;
  await Promise.allSettled([clearWebStorages(), deleteStored(userId)]);
  sayOnNextPage(kind, sentences.accountDeleted);
  leaveTo('/login');
}

/** While another user signs in, a refusal of the old cookie would clear the new one. */
const COOKIE_DELAY_MS = 1000;

/** Handles the event of an ended session. Only a refresh shows whether it was this browser's session. */
export function handleSessionEnd(api: Api, queryClient: QueryClient, isDeleted: boolean): void {
  if (isLeaving) return;
  if (isDeleted) void leaveAccount(shownUser(queryClient) ?? '', 'wrong');
  // A refusal calls `onSessionEnd` with the reason.
  else setTimeout(() => void api.refresh().catch(() => undefined), COOKIE_DELAY_MS);
}

/** Extends the session before it ends, as long as this page is open. */
export function useSessionRefresh(session: Session): void {
  const api = useApi();
  const { expiresAt } = session;
  useEffect(() => {
    const dueAt = readClock() + refreshInMs(expiresAt, readClock());
    // The local clock may be wrong by hours. A refusal ends the session; any other failure is retried.
    const check = () => {
      if (readClock() >= dueAt) api.refresh().catch(() => undefined);
    };
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [api, expiresAt]);
}

function refreshInMs(expiresAt: string, nowMs: number): number {
  const leftMs = Math.max(0, Date.parse(expiresAt) - nowMs);
  return Math.max(leftMs - 5 * 60_000, leftMs / 2);
}
