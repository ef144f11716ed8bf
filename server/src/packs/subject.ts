import type { PackRefusal } from '@plinth/contract/pack-names';
import { fitPack, type PackFigures, type PackSubject } from '@plinth/contract/packs';
import { planPack } from './arrange.ts';
import type { Asked } from './packs.ts';

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
