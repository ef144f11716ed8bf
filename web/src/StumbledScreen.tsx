import { ApiError } from './platform/api.ts';
import { Button } from './ui/Button.tsx';

/** A screen that broke. What stands around it, and all work on the server, goes on. */
export function StumbledScreen({ error }: { error: unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="grid max-w-140 justify-items-start gap-2 p-6" role="alert">
      <h1 className="t1">This screen stumbled.</h1>
      <p className="lead">Your credits and results are safe.</p>
      <div className="mt-3">
        <Button look="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
      {requestId !== null && <p className="tag mt-2">{requestId}</p>}
    </div>
  );
}
