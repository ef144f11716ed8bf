import { errors } from '@plinth/contract/errors';
import type { Reason } from './messages.ts';

export const refusals: Record<Reason, string> = {
  unclear: 'We cannot tell the product from what is behind it. Try a photo with a calmer background.',
  unreadable: errors.image_unreadable.detail,
  'not-fetched': 'What cuts out your photo could not be fetched. Check your connection and choose the photo again.',
  'not-here':
    'This browser cannot cut out photos by itself: WebAssembly is off or too old. Sign in, and we do it on our side.',
};

/** What brings the well to life did not come; a browser asks for it again only on a new page. */
export const UNFETCHED = 'What cuts out your photo could not be fetched. Check your connection and reload the page.';

export function canCutOut(
  has: Partial<Pick<typeof globalThis, 'WebAssembly' | 'OffscreenCanvas' | 'Worker'>>,
): boolean {
  return has.WebAssembly !== undefined && has.OffscreenCanvas !== undefined && has.Worker !== undefined;
}
