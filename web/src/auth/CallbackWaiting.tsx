import { sentences } from '@plinth/contract/errors';
import { Mark } from '../ui/Logo.tsx';
import './auth.css';

/** What stands on the page while Google's answer is turned into a session. The build writes it into the page. */
export function CallbackWaiting() {
  return (
    <main className="centre" id="main">
      <Mark size={40} />
      <span className="spinner" aria-hidden="true" />
      <h1 className="body-text" role="status">
        {sentences.callbackWaiting}
      </h1>
    </main>
  );
}
