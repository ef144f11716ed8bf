import { useEffect } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useSession, useSessionRefresh } from './auth/useSession.ts';
import { BalanceAnnouncer } from './credits/CreditBalance.tsx';
import { useLive } from './live.ts';
import { finishDeletions } from './media/unsent-deletions.ts';
import { useApi } from './platform/useApi.ts';
import { UserContext } from './platform/useUser.ts';

export function SignedIn() {
  const session = useSession();
  useSessionRefresh(session);
  const { id } = session.user;
  useLive(id);
  const api = useApi();
  useEffect(() => void finishDeletions(api, id), [api, id]);
  return (
    <UserContext value={session.user}>
      <BalanceAnnouncer />
      <Outlet />
    </UserContext>
  );
}
