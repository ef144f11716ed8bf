import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sessionSchema } from '@plinth/contract/auth';
import { sentences } from '@plinth/contract/errors';
import { useApi } from '../platform/useApi.ts';
import { useTitle } from '../ui/ScreenHead.tsx';
import { say } from '../ui/above/toast.tsx';
import { takeReturn } from './inside.ts';
import { CallbackWaiting } from './CallbackWaiting.tsx';
import { enterSession } from './useSession.ts';

export function CallbackScreen() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const error = useSearch({ strict: false, select: (search) => search.error });
  const isDone = useRef(false);
  useTitle('Signing in');

  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    const enter = async () => {
      if (error !== undefined) throw new Error('refused');
      enterSession(queryClient, await api.send('/api/v1/session', sessionSchema));
    };
    enter().then(
      () => {
        say.done(sentences.callbackDone);
        void navigate({ href: takeReturn(), replace: true });
      },
      () => {
        say.wrong(sentences.callbackFailed, { id: 'session' });
        void navigate({ to: '/login', replace: true });
      },
    );
  }, [api, queryClient, navigate, error]);

  return <CallbackWaiting />;
}
