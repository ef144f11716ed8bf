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
import type { Box } from './raster.ts';
import { MIN_OBJECT_SHARE } from './product.ts';

/** Arranges a product in its frame: by the look, within the marketplace's rules. */

/** Options of a file besides its pack: a look, and the share of its area by the run's ruler, by default all of it. */
export type LookOptions = { look: LookSettings | null; share?: number };

/** The pack alone. */
export const NO_LOOK: LookOptions = { look: null };

/** Why a pack cannot make a file; null if it can. */
export function findRefusal(subject: PackSubject, pack: PackFigures, options: LookOptions): PackRefusal | null {
  if ('product' in subject) {
    const isPossible = pack.picture.width === null || planPack(subject.product, pack, options) !== undefined;
    return isPossible ? null : 'picture_too_small';
  }
  if (pack.needs === 'cutout') return 'cutout_needed';
  const visible = isBorderless(pack) ? subject.inner : subject.whole;
  return fitPack(visible, false, pack) === undefined ? 'picture_too_small' : null;
}

/** True if the marketplace forbids a border around a picture. */
export const isBorderless = ({ rules }: PackFigures): boolean => rules.some(({ id }) => id === 'no-border');

/** Margins as shares of the frame; `share` of the area within them is filled, at most 1. */
type Arrangement = Pick<LookSettings, 'margin' | 'align'> & { share: number };

/** A planned file: its frame, the product's position, and how much of the look is applied. */
export type Plan = {
  fitted: Fitted;
  arrangement: Arrangement;
  shadow: LookSettings['shadow'];
  canvas: LookSettings['canvas'];
  look: LookShown;
};

/** The pack's default without a look: centred, the long side fills its share. */
function defaultArrangement(fill: number): Arrangement {
  const margin = (1 - fill) / 2;
  return { margin: { top: margin, right: margin, bottom: margin, left: margin }, align: 'centre', share: 1 };
}

function scaleIn(product: Frame, frame: Frame, { margin, share }: Arrangement): number {
  const [wide, high] = [1 - margin.left - margin.right, 1 - margin.top - margin.bottom];
  return share * Math.min((wide * frame.width) / product.width, (high * frame.height) / product.height);
}

/** The product's rectangle in whole pixels of the frame. */
export function placeIn(product: Frame, frame: Frame, arrangement: Arrangement): Box {
  const { margin, align } = arrangement;
  const scale = scaleIn(product, frame, arrangement);
  const width = Math.max(1, Math.round(product.width * scale));
  const height = Math.max(1, Math.round(product.height * scale));
  const room = {
    x: frame.width * (1 - margin.left - margin.right),
    y: frame.height * (1 - margin.top - margin.bottom),
  };
  const left = Math.floor(frame.width * margin.left + (room.x - width) / 2 + EPSILON);
  const above = align === 'foot' ? room.y - height : (room.y - height) / 2;
  const top = Math.floor(frame.height * margin.top + above + EPSILON);
  const clamp = (at: number, length: number, max: number) => Math.max(0, Math.min(at, max - length));
  return { left: clamp(left, width, frame.width), top: clamp(top, height, frame.height), width, height };
}

// Tolerates rounding errors in the last bit.
const EPSILON = 1e-6;

export const NO_MIN_FRAME = { width: 1, height: 1 };

/** A packshot: a square by the look, smaller if the product would be enlarged more than twice. */
function planPackshot(product: Frame, look: LookSettings): Plan {
  const arrangement = { margin: look.margin, align: look.align, share: 1 };
  const whole = { width: look.size, height: look.size };
  const fitted = fitFrame(scaleIn(product, whole, arrangement), whole, NO_MIN_FRAME) ?? {
    ...NO_MIN_FRAME,
    enlarged: 1,
  };
  return { fitted, arrangement, shadow: look.shadow, canvas: look.canvas, look: 'full' };
}

/** A pack's file with a look, or (null) a packshot; undefined if the product is too small. */
export function planPack(product: Frame, pack: PackFigures | null, { look, share = 1 }: LookOptions): Plan | undefined {
  if (pack === null) return planPackshot(product, look ?? standardLook);
  const { picture } = pack;
  const minFrame = leastFrame(pack);
  if (picture.width === null || minFrame === undefined) return undefined;
  const lookArrangement = look && { margin: look.margin, align: look.align, share };
  const isKept = lookArrangement !== null && keepsRules(product, pack, lookArrangement, picture);
  // If the rules override the margins, the alignment still applies.
  const arrangement = isKept
    ? lookArrangement
    : { ...defaultArrangement(picture.fill), align: look?.align ?? 'centre' };
  const fitted = fitFrame(scaleIn(product, picture, arrangement), picture, minFrame);
  if (fitted === undefined) return undefined;
  const shadow = look !== null && allowsShadow(pack) ? look.shadow : 'none';
  const isFull = look === null || (isKept && shadow === look.shadow);
  return { fitted, arrangement, shadow, canvas: '#ffffff', look: isFull ? 'full' : 'partly' };
}

/** Distance from the frame's edge within which a product counts as cut off. */
const MIN_MARGIN = 0.01;

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
  if (Math.min(...gaps) < MIN_MARGIN) return false;
  // By the ruler it may be tiny: the file would look blank, and no product would be found in it.
  if (placed.width * placed.height < MIN_OBJECT_SHARE * frame.width * frame.height) return false;
  return pack.rules.every((rule) => rule.id !== 'fills-frame' || (filled >= rule.least && filled <= (rule.most ?? 1)));
}
