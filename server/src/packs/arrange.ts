import { type LookSettings, type LookShown, standardLook } from '@plinth/contract/looks';
import type { PackRefusal } from '@plinth/contract/pack-names';
import {
  allowsShadow,
  fitFrame,
  fitPack,
  type Fitted,
  type Frame,
  leastFrame,
  type PackFigures,
  type PackSubject,
} from '@plinth/contract/packs';
import type { Box } from './opened.ts';
import { LEAST_THING } from './product.ts';

/** Where a product stands in its frame: what a look wants, as far as a marketplace's rules allow. */

/** What is asked of a file besides its pack: a look, and how much of its place a catalogue's ruler gives it. */
export type Asked = { look: LookSettings | null; share: number };

/** Nothing but the pack itself: no look, and the whole place for the product. */
export const NOTHING: Asked = { look: null, share: 1 };

/** Why a pack makes no file of it; null where it makes one. */
export function findRefusal(subject: PackSubject, pack: PackFigures, asked: Asked): PackRefusal | null {
  if ('product' in subject) {
    const isMade = pack.picture.width === null || planPack(subject.product, pack, asked) !== undefined;
    return isMade ? null : 'picture_too_small';
  }
  if (pack.needs === 'cutout') return 'cutout_needed';
  const shown = isBorderless(pack) ? subject.inner : subject.whole;
  return fitPack(shown, false, pack) === undefined ? 'picture_too_small' : null;
}

/** Whether the marketplace takes no border around a picture. */
export const isBorderless = ({ rules }: PackFigures): boolean => rules.some(({ id }) => id === 'no-border');

/** Margins are shares of the frame; `share` of the area within them is filled, 1 or less by a catalogue's ruler. */
export type Arrangement = Pick<LookSettings, 'margin' | 'align'> & { share: number };

/** A file to be made: its frame, where the product stands in it, and how much of the look that is. */
export type Plan = {
  fitted: Fitted;
  arrangement: Arrangement;
  shadow: LookSettings['shadow'];
  canvas: LookSettings['canvas'];
  look: LookShown;
};

/** What a pack does without a look: in the middle, its longer side filling its share. */
function ownArrangement(fill: number): Arrangement {
  const margin = (1 - fill) / 2;
  return { margin: { top: margin, right: margin, bottom: margin, left: margin }, align: 'centre', share: 1 };
}

function scaleIn(product: Frame, frame: Frame, { margin, share }: Arrangement): number {
  const [wide, high] = [1 - margin.left - margin.right, 1 - margin.top - margin.bottom];
  return share * Math.min((wide * frame.width) / product.width, (high * frame.height) / product.height);
}

/** The product's place in whole pixels of the frame. */
export function placeIn(product: Frame, frame: Frame, arrangement: Arrangement): Box {
  const { margin, align } = arrangement;
  const scale = scaleIn(product, frame, arrangement);
  const width = Math.max(1, Math.round(product.width * scale));
  const height = Math.max(1, Math.round(product.height * scale));
  const room = {
    x: frame.width * (1 - margin.left - margin.right),
    y: frame.height * (1 - margin.top - margin.bottom),
  };
  const left = Math.floor(frame.width * margin.left + (room.x - width) / 2 + HAIR);
  const above = align === 'foot' ? room.y - height : (room.y - height) / 2;
  const top = Math.floor(frame.height * margin.top + above + HAIR);
  const within = (at: number, length: number, most: number) => Math.max(0, Math.min(at, most - length));
  return { left: within(left, width, frame.width), top: within(top, height, frame.height), width, height };
}

// What is whole but for the last bit of a sum stays where it is.
const HAIR = 1e-6;

export const NO_LEAST = { width: 1, height: 1 };

/** A packshot: a square as the look says, smaller where the product would grow by more than twice. */
function planPackshot(product: Frame, look: LookSettings): Plan {
  const arrangement = { margin: look.margin, align: look.align, share: 1 };
  const whole = { width: look.size, height: look.size };
  const fitted = fitFrame(scaleIn(product, whole, arrangement), whole, NO_LEAST) ?? { ...NO_LEAST, enlarged: 1 };
  return { fitted, arrangement, shadow: look.shadow, canvas: look.canvas, look: 'full' };
}

/** A pack's file with a look, or (null) a packshot; undefined where the product is too small for it. */
export function planPack(product: Frame, pack: PackFigures | null, { look, share }: Asked): Plan | undefined {
  if (pack === null) return planPackshot(product, look ?? standardLook);
  const { picture } = pack;
  const least = leastFrame(pack);
  if (picture.width === null || least === undefined) return undefined;
  const wanted = look && { margin: look.margin, align: look.align, share };
  const isKept = wanted !== null && keepsRules(product, pack, wanted, picture);
  // What the rules forbid of the margins leaves the alignment.
  const arrangement = isKept ? wanted : { ...ownArrangement(picture.fill), align: look?.align ?? 'centre' };
  const fitted = fitFrame(scaleIn(product, picture, arrangement), picture, least);
  if (fitted === undefined) return undefined;
  const shadow = look !== null && allowsShadow(pack) ? look.shadow : 'none';
  const isFull = look === null || (isKept && shadow === look.shadow);
  return { fitted, arrangement, shadow, canvas: '#ffffff', look: isFull ? 'full' : 'partly' };
}

/** So near the frame's edge a product is held for one that the frame cuts off. */
const LEAST_MARGIN = 0.01;

function keepsRules(product: Frame, pack: PackFigures, arrangement: Arrangement, frame: Frame): boolean {
  const placed = placeIn(product, frame, arrangement);
  const isWider = placed.width >= placed.height;
  const filled = isWider ? placed.width / frame.width : placed.height / frame.height;
  const gaps = [
    placed.left / frame.width,
    placed.top / frame.height,
    1 - (placed.left + placed.width) / frame.width,
    1 - (placed.top + placed.height) / frame.height,
  ];
  if (Math.min(...gaps) < LEAST_MARGIN) return false;
  // By a catalogue's ruler it may be next to nothing: its file would be blank, and no product is found in it.
  if (placed.width * placed.height < LEAST_THING * frame.width * frame.height) return false;
  return pack.rules.every((rule) => rule.id !== 'fills-frame' || (filled >= rule.least && filled <= (rule.most ?? 1)));
}
