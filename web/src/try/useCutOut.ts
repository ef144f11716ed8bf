import { useCallback, useEffect, useRef, useState } from 'react';
import { errors } from '@plinth/contract/errors';
import { IMAGE_TYPES } from '@plinth/contract/tool';
import { refuseFile } from '../platform/picture-file.ts';
import { canCutOut, type FromWorker, refusals } from './worker-contract.ts';

export type Stage =
  | { kind: 'idle' }
  | (Exclude<FromWorker, { kind: 'refused' }> & { photo: File })
  | { kind: 'refused'; sentence: string };

const PHOTO = { accept: IMAGE_TYPES, wrongType: errors.unsupported_image_type.detail };

/** Cuts out one photo at a time in a worker, which is kept for the next one and then needs no request. */
export function useCutOut() {
  const [stage, setStage] = useState<Stage>({ kind: 'idle' });
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);

  const cutOut = useCallback((photo: File) => {
    const refuse = (sentence: string) => setStage({ kind: 'refused', sentence });
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
  }, []);
  return { stage, cutOut };
}
