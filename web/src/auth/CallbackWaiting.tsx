import { sentences } from '@plinth/contract/errors';
import { Mark } from '../ui/pages/Logo.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';

export function CallbackWaiting() {
  useTitle('Signing in');
  return (
    <main className="alone" id="main">
      <Mark size={40} />
      <span className="spinner" aria-hidden="true" />
      <h1 role="status">{sentences.callbackWaiting}</h1>
    </main>
  );
}
