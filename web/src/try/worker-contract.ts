import { errors } from '@plinth/contract/errors';

/** Messages of the cut-out worker to the page. The page only sends the photo, which never leaves the browser. */
export type FromWorker =
  /** `share`: download progress 0..1, with the first photo only; null during inference. */
  | { kind: 'working'; share: number | null }
  /** The cut-out, then one picture per scene. */
  | { kind: 'done'; pictures: Blob[] }
  | { kind: 'refused'; reason: Reason };

export type Reason = keyof typeof refusals;

export const refusals = {
  unclear: 'We cannot tell the product from what is behind it. Try a photo with a calmer background.',
  unreadable: errors.image_unreadable.detail,
  'not-fetched': 'What cuts out your photo could not be fetched. Check your connection and choose the photo again.',
  'not-here':
    'This browser cannot cut out photos by itself: WebAssembly is off or too old. Sign in, and we do it on our side.',
};

export function canCutOut(
  has: Partial<Pick<typeof globalThis, 'WebAssembly' | 'OffscreenCanvas' | 'Worker'>>,
): boolean {
  return has.WebAssembly !== undefined && has.OffscreenCanvas !== undefined && has.Worker !== undefined;
}

export const RUNTIME_BYTES = 14_239_897;
/** Compressed download size with the first photo in megabytes: mostly runtime and network. */
export const RUNTIME_MB = 2.8;
export const NETWORK_MB = 4.5;
export const DOWNLOAD_MB = Math.round(RUNTIME_MB + NETWORK_MB);
