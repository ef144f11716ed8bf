import '../platform/no-eval.ts';
import { IMAGE_MAX_BYTES, MEBIBYTE } from '@plinth/contract/limits';
import { useRef, useState } from 'react';
import { signersSchema, type Verified, verifiedSchema } from '@plinth/contract/origin';
import type { Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { DropWell } from '../ui/wells/DropWell.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Icon } from '../ui/icons.tsx';
import { useCopy } from '../ui/useCopy.ts';
import { listingSentences, sayAction, sayType, sayVerdict, SIGNED } from './sentences.ts';

const TOO_LONG = `This browser cannot check signatures, and the server takes files of up to ${IMAGE_MAX_BYTES / MEBIBYTE} MB.`;
const ACCEPT = 'image/png,image/jpeg,image/webp,video/mp4';

export function VerifyHere() {
  return (
    <>
      <Verifier />
      <ListingSentences />
    </>
  );
}

type Verification =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'read'; verified: Verified }
  | { kind: 'unable' }
  | { kind: 'failed'; says: string };

export function Verifier() {
  const api = useApi();
  const [file, setFile] = useState<File | null>(null);
  const [state, setState] = useState<Verification>({ kind: 'idle' });
  const latest = useRef<Promise<Verification>>(null);

  const show = async (verification: Promise<Verification>) => {
    latest.current = verification;
    setState({ kind: 'reading' });
    const found = await verification.catch((error: unknown): Verification => ({
      kind: 'failed',
      says: error instanceof Error && error.name === 'ApiError' ? error.message : 'This file cannot be read.',
    }));
    if (latest.current === verification) setState(found);
  };
  return (
    <div className="well-and-answer columns">
      <DropWell
        file={state.kind === 'failed' ? null : file}
        thing="a picture or clip"
        another="Verify another file"
        accept={ACCEPT}
        onTake={(taken) => {
          setFile(taken);
          void show(verifyLocally(api, taken));
        }}
      />
      <div className="stack any-break verify-answer" aria-live="polite" aria-busy={state.kind === 'reading'}>
        <Answer state={state} onAsk={() => file && void show(verifyOnServer(api, file))} />
      </div>
    </div>
  );
}

/** Checks a file of any size without uploading it, if this browser supports the signature algorithms used here. */
export async function verifyLocally(api: Api, file: File): Promise<Verification> {
  const [{ verifyFile }, { items }] = await Promise.all([
    import('@plinth/contract/verify'),
    api.send('/api/v1/signers', signersSchema),
  ]);
  if (await canVerify())
    return { kind: 'read', verified: await verifyFile(new Uint8Array(await file.arrayBuffer()), items) };
  return file.size > IMAGE_MAX_BYTES ? { kind: 'failed', says: TOO_LONG } : { kind: 'unable' };
}

export async function canVerify(): Promise<boolean> {
  // `subtle` is missing over plain HTTP, although its type says otherwise.
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (subtle === undefined) return false;
  return subtle.importKey('raw', new Uint8Array(32).fill(1), 'Ed25519', false, ['verify']).then(
    () => true,
    () => false,
  );
}

async function verifyOnServer(api: Api, file: File): Promise<Verification> {
  const form = new FormData();
  form.set(file.type.startsWith('video/') ? 'video' : 'image', file);
  return { kind: 'read', verified: await api.send('/api/v1/verify', verifiedSchema, { method: 'POST', form }) };
}

function Answer({ state, onAsk }: { state: Verification; onAsk: () => void }) {
  switch (state.kind) {
    case 'idle':
      return <p className="small">The file stays in this browser: only the public keys of this site are fetched.</p>;
    case 'reading':
      return <p className="small">Reading…</p>;
    case 'failed':
      return <ErrorBox>{state.says}</ErrorBox>;
    case 'unable':
      return (
        <ErrorBox action={<Button onClick={onAsk}>Let the server look</Button>}>
          This browser cannot check the signature by itself. The server can, and keeps nothing.
        </ErrorBox>
      );
    case 'read':
      return <Found verified={state.verified} />;
  }
}

function Found({ verified }: { verified: Verified }) {
  const { made, changed, signed, type, chain } = verified;
  const tone = changed === true ? 'is-wrong' : made ? 'is-good' : '';
  return (
    <>
      <h2 className={`title-small in-line ${tone}`}>
        {tone !== '' && <Icon name={tone === 'is-good' ? 'check' : 'warning'} />}
        <span>{sayVerdict(verified)}</span>
      </h2>
      <Facts
        className="small"
        facts={[
          ['Signed', signed !== 'none' && SIGNED[signed]],
          ['Kind', type && sayType(type)],
        ]}
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

export function ListingSentences() {
  const { message, copy } = useCopy();
  return (
    <section className="stack new-part verify-sentences" aria-labelledby="verify-sentences">
      <h2 className="title-small" id="verify-sentences">
        Say it in your listing, too
      </h2>
      <p className="small">Few buyers look into a file. Change what is not true of your picture.</p>
      <ul>
        {listingSentences.map(({ shop, where, text }) => (
          <li key={shop} className="stack ruled">
            <p className="small">
              <b>{shop}</b>, {where}
            </p>
            <blockquote>{text}</blockquote>
            <Button
              aria-label={`Copy the sentence for ${shop}`}
              onClick={() => copy(text, `The sentence for ${shop} is copied.`)}
            >
              Copy
            </Button>
          </li>
        ))}
      </ul>
      <p className="small" role="status">
        {message}
      </p>
    </section>
  );
}
