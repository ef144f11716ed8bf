import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { Outlet, useRouter } from '@tanstack/react-router';
import type { Session } from '@plinth/contract/auth';
import { sentences } from '@plinth/contract/errors';
import { useSession, useSessionRefresh } from './auth/useSession.ts';
import { BalanceVoice } from './credits/CreditBalance.tsx';
import { useLive } from './live.ts';
import { Button } from './ui/Button.tsx';
import { Delayed } from './ui/Delayed.tsx';
import { ErrorBox } from './ui/ErrorBox.tsx';
import { Mark } from './ui/Logo.tsx';

const SignedInUser = createContext<Session['user'] | null>(null);

export function useUser(): Session['user'] {
  const user = useContext(SignedInUser);
  if (user === null) throw new Error('this screen needs a session');
  return user;
}

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
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-5 p-6">
      {isError ? (
        <ErrorBox action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {sentences.userLoadFailed}
        </ErrorBox>
      ) : (
        <Waiting />
      )}
    </main>
  );
}

export function Waiting() {
  return (
    <Delayed>
      <div className="grid justify-items-center gap-5" role="status">
        <Mark size={40} />
        <span className="spin" aria-hidden="true" />
        <span className="sr-only">Loading</span>
      </div>
    </Delayed>
  );
}

function Inside({ session }: { session: Session }): ReactNode {
  useSessionRefresh(session);
  useLive();
  return (
    <SignedInUser value={session.user}>
      <BalanceVoice />
      <Outlet />
    </SignedInUser>
  );
}
