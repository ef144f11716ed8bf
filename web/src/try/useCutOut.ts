import { useCallback, useEffect, useRef, useState } from 'react';
import type { ToWorker, FromWorker } from './messages.ts';
import { errors } from '@plinth/contract/errors';
import { IMAGE_TYPES } from '@plinth/contract/tool';
import { refuseFile } from '../platform/picture-file.ts';
import { canCutOut, refusals } from './says.ts';

export type Stage =
  | { kind: 'idle' }
  /** `share` of what is fetched with the first photo, 0 to 1; null while the photo is looked at. */
  | { kind: 'working'; photo: File; share: number | null }
  /** The cut-out, then what it looks like in each of the scenes. */
  | { kind: 'done'; photo: File; pictures: Blob[] }
  | { kind: 'refused'; sentence: string };

const PHOTO = { accept: IMAGE_TYPES, wrongType: errors.unsupported_image_type.detail };

/** Cuts out one photo at a time in a worker, which stays for the next one and needs no network for it. */
export function useCutOut() {
  const [stage, setStage] = useState<Stage>({ kind: 'idle' });
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);

  const cutOut = useCallback((photo: File) => {
    const wrong = refuseFile(photo, PHOTO) ?? (canCutOut(window) ? null : refusals['not-here']);
    if (wrong !== null) return setStage({ kind: 'refused', sentence: wrong });
    setStage({ kind: 'working', photo, share: null });
    worker.current ??= new Worker(new URL('./cut-out-worker.ts', import.meta.url), { type: 'module' });
    worker.current.onerror = () => {
      worker.current = null;
      setStage({ kind: 'refused', sentence: refusals['not-here'] });
    };
    worker.current.onmessage = ({ data }: MessageEvent<FromWorker>) => setStage(stageAfter(data, photo));
    worker.current.postMessage({ photo } satisfies ToWorker);
  }, []);
  return { stage, cutOut };
}

function stageAfter(message: FromWorker, photo: File): Stage {
  if (message.kind === 'fetching') return { kind: 'working', photo, share: message.share };
  if (message.kind === 'looking') return { kind: 'working', photo, share: null };
  if (message.kind === 'ended') return { kind: 'refused', sentence: refusals[message.reason] };
  return { kind: 'done', photo, pictures: [message.cutOut, ...message.inScenes] };
}
