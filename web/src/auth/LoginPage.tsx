import { sentences } from '@plinth/contract/errors';
import { useApi } from '../platform/useApi.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { sayOnNextPage, Toasts } from '../ui/above/toast.tsx';
import { inside } from './inside.ts';
import { LoginScreen } from './LoginScreen.tsx';

export function LoginPage() {
  return (
    <div id="door" data-island>
      <Door />
    </div>
  );
}

export function Door() {
  const api = useApi();
  // The server redirects users with a session; a page restored by the browser has to ask again.
  useWindowEvent('pageshow', ({ persisted }) => persisted && window.location.reload());
  return (
    <>
      <LoginScreen
        signIn={async (mode, body) => {
          await api.command(`/api/v1/auth/${mode}`, { method: 'POST', body });
          sayOnNextPage(sentences.loggedIn);
          window.location.assign(inside(new URLSearchParams(window.location.search).get('to')));
        }}
      />
      <Toasts />
    </>
  );
}
