import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sessionSchema } from '@plinth/contract/auth';
import { sentences } from '@plinth/contract/errors';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/above/toast.tsx';
import { inside } from './inside.ts';
import { LoginScreen } from './LoginScreen.tsx';
import { enterSession, shownUser, useSession } from './useSession.ts';

export function LoginInApp() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data: session } = useSession();
  const navigate = useNavigate();
  const [before] = useState(shownUser);
  const to = useSearch({ strict: false, select: (search) => search.to });
  useEffect(() => {
    if (session) void navigate({ href: inside(to), replace: true });
  }, [session, navigate, to]);
  return (
    <LoginScreen
      line={before === null ? '' : 'You were signed out. Sign in to go on.'}
      signIn={async (mode, body) => {
        enterSession(queryClient, await api.send(`/api/v1/auth/${mode}`, sessionSchema, { method: 'POST', body }));
        say.done(sentences.loggedIn, { id: 'sign-in' });
      }}
    />
  );
}
