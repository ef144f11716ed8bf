import { useEffect } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useSession, useSessionRefresh } from './auth/useSession.ts';
import { BalanceAnnouncer } from './credits/CreditBalance.tsx';
import { useLive } from './live.ts';
import { DELETIONS_KEY } from './media/deletions-key.ts';
import { useApi } from './platform/useApi.ts';
import { UserContext } from './platform/useUser.ts';

export function SignedIn() {
  const session = useSession();
  useSessionRefresh(session);
  const { id } = session.user;
  useLive(id);
  const api = useApi();
  useEffect(() => {
    if (!hasUnsent()) return;
    const finish = async () => (await import('./media/unsent-deletions.ts')).finishDeletions(api, id);
    finish().catch(() => undefined); // Left to the next page.
  }, [api, id]);
  return (
    <UserContext value={session.user}>
      <BalanceAnnouncer />
      <Outlet />
    </UserContext>
  );
}

/** True if an earlier page left deletions: most pages need no script for them. */
function hasUnsent(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(DELETIONS_KEY));
  } catch {
    return false; // A browser may forbid it.
  }
}
