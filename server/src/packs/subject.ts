import type { LookSettings } from '@plinth/contract/looks';
import type { PackRefusal } from '@plinth/contract/pack-names';
import { fitPack, type PackFigures, type PackSubject } from '@plinth/contract/packs';
import { planPack } from './arrange.ts';

/** What is asked of a file besides its pack: a look, and how much of its place a catalogue's ruler gives it. */
export type Asked = { look: LookSettings | null; share: number };

/** Nothing but the pack itself: no look, and the whole place for the product. */
export const NOTHING: Asked = { look: null, share: 1 };

/** Why a pack makes no file of it; null where it makes one. */
export function findRefusal(subject: PackSubject, pack: PackFigures, { look, share }: Asked): PackRefusal | null {
  if ('product' in subject) {
    const isMade = pack.picture.width === null || planPack(subject.product, pack, look, share) !== undefined;
    return isMade ? null : 'picture_too_small';
  }
  if (pack.needs === 'cutout') return 'cutout_needed';
  const shown = isBorderless(pack) ? subject.inner : subject.whole;
  return fitPack(shown, false, pack) === undefined ? 'picture_too_small' : null;
}

/** Whether the marketplace takes no border around a picture. */
export const isBorderless = ({ rules }: PackFigures): boolean => rules.some(({ id }) => id === 'no-border');
