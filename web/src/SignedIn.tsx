import { Outlet } from '@tanstack/react-router';
import { useSession, useSessionRefresh } from './auth/useSession.ts';
import { BalanceAnnouncer } from './credits/CreditBalance.tsx';
import { useLive } from './live.ts';
import { UserContext } from './platform/useUser.ts';

export function SignedIn() {
  const session = useSession();
  useSessionRefresh(session);
  useLive(session.user.id);
  return (
    <UserContext value={session.user}>
      <BalanceAnnouncer />
      <Outlet />
    </UserContext>
  );
}
