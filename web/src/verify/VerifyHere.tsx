import '../platform/no-eval.ts';
import { useState } from 'react';
import type { Verified } from '@plinth/contract/origin';
import { createApi } from '../platform/api.ts';
import { ApiContext } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { DropWell } from '../ui/wells/DropWell.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Icon } from '../ui/icons.tsx';
import { ListingSentences } from './ListingSentences.tsx';
import { SIGNED, sayAction, sayType, sayVerdict } from './says.ts';
import { type Looking, useVerify } from './useVerify.ts';

const ACCEPT = 'image/png,image/jpeg,image/webp,video/mp4';

export function VerifyHere() {
  const [api] = useState(() => createApi());
  return (
    <ApiContext value={api}>
      <Verifier />
      <ListingSentences />
    </ApiContext>
  );
}

export function Verifier() {
  const { file, looking, take, askServer } = useVerify();
  return (
    <div className="well-and-answer columns">
      <DropWell
        file={looking.kind === 'failed' ? null : file}
        thing="a picture or clip"
        another="Verify another file"
        accept={ACCEPT}
        onTake={take}
      />
      <div className="stack any-break verify-answer" aria-live="polite" aria-busy={looking.kind === 'reading'}>
        <Answer looking={looking} onAsk={askServer} />
      </div>
    </div>
  );
}

function Answer({ looking, onAsk }: { looking: Looking; onAsk: () => void }) {
  switch (looking.kind) {
    case 'idle':
      return <p className="small">The file stays in this browser: only the public keys of this site are fetched.</p>;
    case 'reading':
      return <p className="small">Reading…</p>;
    case 'failed':
      return <ErrorBox>{looking.says}</ErrorBox>;
    case 'unable':
      return (
        <ErrorBox action={<Button onClick={onAsk}>Let the server look</Button>}>
          This browser cannot check the signature by itself. The server can, and keeps nothing.
        </ErrorBox>
      );
    case 'read':
      return <Found verified={looking.verified} />;
  }
}

function Found({ verified }: { verified: Verified }) {
  const { made, changed, signed, type, chain } = verified;
  const look = changed === true ? 'is-wrong' : made ? 'is-good' : '';
  return (
    <>
      <h2 className={`title-small in-line ${look}`}>
        {look !== '' && <Icon name={look === 'is-good' ? 'check' : 'warning'} />}
        {sayVerdict(verified)}
      </h2>
      <Facts
        className="small"
        facts={[['Signed', SIGNED[signed]], ...(type === null ? [] : ([['Kind', sayType(type)]] as const))]}
      />
      {chain.length > 0 && (
        <>
          <h3 className="small">What it says was done, the oldest first</h3>
          <ol className="small bulleted">
            {chain.map(({ by, action, at }, place) => (
              <li key={place}>
                {sayAction(action)} by {by ?? 'somebody'}
                {at !== null && <time dateTime={at}>, {at.slice(0, 16).replace('T', ' ')} UTC</time>}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
