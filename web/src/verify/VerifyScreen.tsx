import { PlainFrame } from '../ui/pages/PlainFrame.tsx';
import './verify.css';
import { VerifyHere } from './VerifyHere.tsx';

export function VerifyScreen() {
  return (
    <PlainFrame>
      <main className="page-width verify" id="main" tabIndex={-1}>
        <h1 className="display-small">Verify a picture</h1>
        <p className="lead-text way-on readable">
          Every picture and clip that is made here says in the file how that was done, and is signed. See whether yours
          is one of them, what made it, and whether anything in it was changed since.
        </p>
        <div id="verify-here" data-island>
          <VerifyHere />
        </div>
        <noscript>
          <p className="lead-text">This page reads your file with JavaScript. Programs ask the address below.</p>
        </noscript>
        <div className="stack readable new-part underlined-links small">
          <p>
            <b>What it proves</b>: whose certificate signed the file, and that each of its bytes is as it was then. Any
            reader of Content Credentials (C2PA) can check that without us.
          </p>
          <p>
            <b>What it does not</b>: that the picture shows the truth, or that a file without a mark was made without a
            machine. Whoever saves a picture anew takes its mark off, and many sites do.
          </p>
          <p>
            For programs: <code>POST /api/v1/verify</code>, described at <a href="/developers">/developers</a>
          </p>
        </div>
      </main>
    </PlainFrame>
  );
}
