import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { errors } from '@plinth/contract/errors';
import { IMAGE_TYPES } from '@plinth/contract/tool';
import { acceptPhotos, readPictureFile, refuseFile } from '../platform/picture-file.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Track } from '../ui/Track.tsx';
import { DropWords } from '../ui/wells/DropWords.tsx';
import './try.css';
import { canCutOut, DOWNLOAD_MB, refusals, type FromWorker } from './worker-contract.ts';
import { TryResult } from './TryResult.tsx';

const REFUSAL = 'try-refusal';

export function TryHere() {
  const input = useRef<HTMLInputElement>(null);
  const { stage, cutOut } = useCutOut();
  const handleFiles = (files: FileList | null) => {
    const photo = files?.[0];
    if (photo !== undefined && stage.kind !== 'working') void cutOut(photo);
    // lets the user choose the same photo again
    if (input.current !== null) input.current.value = '';
  };
  const takeEarlyFile = useEffectEvent(() => handleFiles(input.current?.files ?? null));
  useEffect(() => takeEarlyFile(), []);
  const isDone = stage.kind === 'done';
  return (
    <div className="try-box stack">
      {isDone && <TryResult {...stage} onAnother={() => input.current?.click()} />}
      <div className={isDone ? 'sr-only' : 'frame drop-well try-well'}>
        <Well stage={stage} />
        <input
          ref={input}
          type="file"
          className="laid-over"
          accept={acceptPhotos()}
          aria-label="Your photo"
          aria-describedby={stage.kind === 'refused' ? REFUSAL : undefined}
          disabled={stage.kind === 'working'}
          tabIndex={isDone ? -1 : undefined}
          onChange={(event) => handleFiles(event.currentTarget.files)}
        />
      </div>
      {stage.kind === 'refused' && <ErrorBox id={REFUSAL}>{stage.sentence}</ErrorBox>}
      {/* Shown if this island's script failed to load: a browser requests it again only after a reload. */}
      <p className="error try-unfetched" role="alert">
        What cuts out your photo could not be fetched. Check your connection and reload the page.
      </p>
      <p className="sr-only" role="status">
        {announce(stage)}
      </p>
    </div>
  );
}

function Well({ stage }: { stage: Stage }) {
  if (stage.kind === 'done') return null;
  if (stage.kind === 'working') {
    return (
      <>
        {stage.photo && <BlobImage blob={stage.photo} alt="" className="cover" />}
        <div className="try-work stack">
          <b>{stage.share === null ? FINDING : FETCHING}</b>
          <Track label={stage.share === null ? FINDING : FETCHING} share={stage.share} />
          <span className="caption figures">
            {stage.share === null
              ? 'In this browser'
              : `${(stage.share * DOWNLOAD_MB).toFixed(1)} of ${DOWNLOAD_MB} MB`}
          </span>
        </div>
      </>
    );
  }
  return <DropWords thing="a photo" byTouch="Choose or take a photo" />;
}

const FETCHING = 'Fetching what cuts it out, once';
const FINDING = 'Finding your product';

function announce(stage: Stage): string {
  if (stage.kind === 'working') return stage.share === null ? FINDING : FETCHING;
  if (stage.kind === 'done') return 'Your product is cut out.';
  return stage.kind === 'refused' ? stage.sentence : '';
}

type Stage =
  | { kind: 'idle' }
  /** The photo is read: until then the browser may not be able to show it. */
  | { kind: 'working'; photo: null; share: null }
  | (Exclude<FromWorker, { kind: 'refused' }> & { photo: File })
  | { kind: 'refused'; sentence: string };

const PHOTO = { accept: IMAGE_TYPES, wrongType: errors.unsupported_image_type.detail };

/** Cuts out one photo at a time in a worker, which is kept for the next one and then needs no request. */
function useCutOut() {
  const [stage, setStage] = useState<Stage>({ kind: 'idle' });
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);

  const cutOut = async (given: File) => {
    const refuse = (sentence: string) => setStage({ kind: 'refused', sentence });
    setStage({ kind: 'working', photo: null, share: null });
    const photo = await readPictureFile(given);
    const problem = refuseFile(photo, PHOTO) ?? (canCutOut(window) ? null : refusals['not-here']);
    if (problem !== null) return refuse(problem);
    setStage({ kind: 'working', photo, share: null });
    worker.current ??= new Worker(new URL('./cut-out-worker.ts', import.meta.url), { type: 'module' });
    worker.current.onerror = () => {
      worker.current = null;
      refuse(refusals['not-here']);
    };
    worker.current.onmessage = ({ data }: MessageEvent<FromWorker>) =>
      data.kind === 'refused' ? refuse(refusals[data.reason]) : setStage({ ...data, photo });
    worker.current.postMessage(photo);
  };
  return { stage, cutOut };
}
