import { PlainFrame } from '../ui/pages/PlainFrame.tsx';
import { STATUS_FIGURES } from '../platform/islands.ts';
import './status.css';
import { StatusFigures } from './StatusFigures.tsx';

export function StatusScreen() {
  return (
    <PlainFrame>
      <main className="page-width" id="main" tabIndex={-1}>
        <h1 className="display-small">Status</h1>
        <div id={STATUS_FIGURES}>
          <StatusFigures />
        </div>
        <noscript>
          <p className="lead-text">This page counts with JavaScript. The figures alone are at the address below.</p>
        </noscript>
        <div className="page-notes new-part underlined-links small">
          <p>
            <b>Slow</b>: an answer takes more than a second, a generation waits for more than a minute, or not every
            checkout opens. <b>Down</b>: no answer.
          </p>
          <p>
            For programs: <a href="/api/v1/status">/api/v1/status</a>
          </p>
        </div>
      </main>
    </PlainFrame>
  );
}
