import { PlainFrame } from '../ui/pages/PlainFrame.tsx';
import './status.css';
import { StatusFigures } from './StatusFigures.tsx';

export function StatusScreen() {
  return (
    <PlainFrame>
      <main className="page-width" id="main" tabIndex={-1}>
        <h1 className="display-small">Status</h1>
        <div id="status-figures" data-island>
          <StatusFigures />
        </div>
        <noscript>
          <p className="lead-text">This page counts with JavaScript. The figures alone are at the address below.</p>
        </noscript>
      </main>
    </PlainFrame>
  );
}
