import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import { say } from '../ui/toast.tsx';
import { inside } from './inside.ts';
import { LoginScreen } from './LoginScreen.tsx';
import { enterSession, useSession } from './useSession.ts';

/** The door as a screen of the app: whoever has a session goes on, to where they came from. */
export function LoginInApp() {
  const queryClient = useQueryClient();
  const { data: session } = useSession();
  const navigate = useNavigate();
  const to = useSearch({ strict: false, select: (search) => search.to });
  useEffect(() => {
    if (session) void navigate({ href: inside(to), replace: true });
  }, [session, navigate, to]);
  return (
    <LoginScreen
      onEnter={(entered) => {
        enterSession(queryClient, entered);
        say.done(sentences.loggedIn, { id: 'sign-in' });
      }}
    />
  );
}
