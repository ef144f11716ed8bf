import { useEffect, type ReactNode } from 'react';
import { Outlet, useRouter } from '@tanstack/react-router';
import type { Session } from '@plinth/contract/auth';
import { useSession, useSessionRefresh } from './auth/useSession.ts';
import { BalanceAnnouncer } from './credits/CreditBalance.tsx';
import { useLive } from './live.ts';
import { UserContext } from './platform/useUser.ts';

export function SignedIn() {
  const { data: session } = useSession();
  const router = useRouter();
  useEffect(() => {
    if (session === null) void router.invalidate();
  }, [session, router]);
  return session ? <Inside key={session.user.id} session={session} /> : null;
}

function Inside({ session }: { session: Session }): ReactNode {
  useSessionRefresh(session);
  useLive(session.user.id);
  return (
    <UserContext value={session.user}>
      <BalanceAnnouncer />
      <Outlet />
    </UserContext>
  );
}
