import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { Toasts } from '../ui/above/toast.tsx';
import { LoginScreen } from './LoginScreen.tsx';

export function LoginPage() {
  return (
    <div id="door" data-island>
      <LoginIsland />
    </div>
  );
}

export function LoginIsland() {
  // The server redirects users with a session; a page restored by the browser has to ask again.
  useWindowEvent('pageshow', ({ persisted }) => persisted && window.location.reload());
  return (
    <>
      <LoginScreen />
      <Toasts />
    </>
  );
}
