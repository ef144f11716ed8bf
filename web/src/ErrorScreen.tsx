import { useWindowEvent } from './platform/useWindowEvent.ts';
import { buttonClass } from './ui/button-class.ts';

export function ErrorScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  // A screen that was never opened cannot be fetched offline; back online it can.
  useWindowEvent('online', onRetry);
  if (!navigator.onLine) {
    return (
      <div className="stumbled" role="alert">
        <h1 className="title-large">You are offline.</h1>
        <p className="lead-text">This screen opens by itself as soon as you are back.</p>
      </div>
    );
  }
  const requestId = readRequestId(error);
  return (
    <div className="stumbled" role="alert">
      <h1 className="title-large">This screen stumbled.</h1>
      <p className="lead-text">Your credits and results are safe.</p>
      <button type="button" className={buttonClass({ look: 'primary' })} onClick={() => window.location.reload()}>
        Reload
      </button>
      {requestId !== null && <p className="caption">{requestId}</p>}
    </div>
  );
}

// Checks the shape: importing the class of API errors would bring the whole client into the public pages.
function readRequestId(error: unknown): string | null {
  const { requestId } = error instanceof Error && 'requestId' in error ? error : { requestId: null };
  return typeof requestId === 'string' ? requestId : null;
}
