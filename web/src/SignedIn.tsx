import { useEffect, type ReactNode } from 'react';
import { Outlet, useRouter } from '@tanstack/react-router';
import type { Session } from '@plinth/contract/auth';
import { sentences } from '@plinth/contract/errors';
import { useSession, useSessionRefresh } from './auth/useSession.ts';
import { BalanceVoice } from './credits/CreditBalance.tsx';
import { useLive } from './live.ts';
import { UserContext } from './platform/useUser.ts';
import { Button } from './ui/Button.tsx';
import { ErrorBox } from './ui/ErrorBox.tsx';

/** The gate: everything behind it has a session, and leaves for the login screen when that ends. */
export function SignedIn() {
  const { data: session, isError, refetch } = useSession();
  const router = useRouter();
  useEffect(() => {
    // The address is read here and not subscribed to: it changes with the very navigation that starts below.
    const { href } = router.state.location;
    if (session === null) void router.navigate({ to: '/login', search: { to: href }, replace: true });
  }, [session, router]);

  if (session) return <Inside session={session} />;
  // The page itself shows the wait, from its first byte on, for as long as no screen is drawn.
  if (!isError) return null;
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-5 p-6">
      <ErrorBox action={<Button onClick={() => void refetch()}>Try again</Button>}>{sentences.userLoadFailed}</ErrorBox>
    </main>
  );
}

function Inside({ session }: { session: Session }): ReactNode {
  useSessionRefresh(session);
  useLive();
  return (
    <UserContext value={session.user}>
      <BalanceVoice />
      <Outlet />
    </UserContext>
  );
}
