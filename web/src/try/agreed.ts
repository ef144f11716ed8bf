import { errors } from '@plinth/contract/errors';

/** What the page and the worker that cuts out agree on. A photo goes in as the file itself and never further. */
export type FromWorker =
  /** `share` of what is fetched with the first photo, 0 to 1; null while the photo is looked at. */
  | { kind: 'working'; share: number | null }
  /** The cut-out, then what it looks like in each of the scenes. */
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
/** What comes over the line with the first photo, packed, in megabytes: mostly runtime and network. */
export const RUNTIME_MB = 2.8;
export const NETWORK_MB = 4.5;
export const FETCHED_MB = Math.round(RUNTIME_MB + NETWORK_MB);
