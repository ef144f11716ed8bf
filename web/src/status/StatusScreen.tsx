import { STATUS_LEAST_ENDED } from '@plinth/contract/status';
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
            Counted from our own records, at most a minute ago. Whatever had fewer than {STATUS_LEAST_ENDED} generations
            is left out. Seconds run from the press of the button to the result, waiting included. Each bar is one day
            (UTC): its height shows how many generations ended, its filled part how many of them gave a result.
          </p>
          <p>
            <b>Refused</b>: the tool could not work with the photo or the words. <b>Failed</b>: our fault, or that of
            whoever serves the tool. Both give the credits back. What people canceled is neither.
          </p>
          <p>
            For programs: <a href="/api/v1/status">/api/v1/status</a>
          </p>
        </div>
      </main>
    </PlainFrame>
  );
}
