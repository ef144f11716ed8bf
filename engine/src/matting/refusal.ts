import { measureLeftOut } from './left-out.ts';
import { countOnes, dilate, distanceInside, findRegions, invert } from './regions.ts';
import type { Segmentation } from './segmentation.ts';

/** What speaks for and against a cut-out; all shares are 0..1. */
export interface Evidence {
  /** Of the picture. */
  area: number;
  /** Of the outline, where inside and outside differ by less than a glance can see. */
  weakOutline: number;
  /** Mean Lab step across the outline. */
  contrast: number;
  /** Of the mask, in its largest piece. */
  whole: number;
  /** How well the outline alone and outline plus colours agree. */
  agreement: number;
  /** Median foreignness inside the mask. */
  foreign: number;
  /** Of the mask, how much is unlike the background in any light. */
  foreignShare: number;
  /** Of the things around it that are as foreign as the product, how much was left out. */
  missed: number;
}

export function gatherEvidence(segmentation: Segmentation): Evidence {
  const { mask, guess, width, height, foreign } = segmentation;
  const area = countOnes(mask);
  const steps = outlineSteps(segmentation);
  const pieces = findRegions(mask, width, height).map((region) => region.pixels.length);
  const inside = foreign.filter((_, i) => mask[i]).sort();
  let both = 0;
  let either = 0;
  for (let i = 0; i < mask.length; i += 1) {
    const isSolid = guess[i]! && (!segmentation.isDistinct || foreign[i]! >= 4) ? 1 : 0;
    both += mask[i]! & isSolid;
    either += mask[i]! | isSolid;
  }
  let strange = 0;
  let strangeOut = 0;
  const away = dilate(mask, width, height, 6);
  for (let i = 0; i < mask.length; i += 1) {
    if (foreign[i]! <= 8) continue;
    strange += 1;
    if (!away[i]) strangeOut += 1;
  }
  return {
    area: area / mask.length,
    weakOutline: steps.length === 0 ? 1 : steps.filter((step) => step < 4).length / steps.length,
    contrast: steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length),
    whole: Math.max(0, ...pieces) / Math.max(1, area),
    agreement: both / Math.max(1, either),
    foreign: inside[inside.length >> 1] ?? 0,
    foreignShare: inside.filter((value) => value > 4).length / Math.max(1, inside.length),
    missed: strangeOut / Math.max(1, strange),
  };
}

function outlineSteps({ lab, mask, width, height }: Segmentation): number[] {
  const depth = distanceInside(mask, width, height);
  const away = distanceInside(invert(mask), width, height);
  const steps: number[] = [];
  for (let y = 6; y < height - 6; y += 1) {
    for (let x = 6; x < width - 6; x += 1) {
      const i = y * width + x;
      if (!mask[i] || depth[i]! > 1.1) continue;
      const inner = meanNear(lab, depth, i, width);
      const outer = meanNear(lab, away, i, width);
      steps.push(Math.hypot(inner[0] - outer[0], inner[1] - outer[1], inner[2] - outer[2]));
    }
  }
  return steps;
}

/** Mean colour of the pixels 2-5 px on one side of the outline, round about one of its pixels. */
function meanNear(lab: Segmentation['lab'], side: Float32Array, at: number, width: number): [number, number, number] {
  let l = 0;
  let a = 0;
  let b = 0;
  let count = 0;
  for (let dy = -5; dy <= 5; dy += 1) {
    for (let dx = -5; dx <= 5; dx += 1) {
      const i = at + dy * width + dx;
      if (side[i]! < 2 || side[i]! > 5) continue;
      l += lab.l[i]!;
      a += lab.a[i]!;
      b += lab.b[i]!;
      count += 1;
    }
  }
  return count === 0 ? [0, 0, 0] : [l / count, a / count, b / count];
}

const MIN_SHARE = 0.004;
const MAX_SHARE = 0.92;
/** Products that were found have 0-0.2 (a dahlia among its leaves 0.25), parts of products and lumps of a crowded room 0.29-1.8. */
const MOST_LEFT_OUT = { colours: 0.27, edges: 0.17 };

/**
 * Why this cut-out must not be shown to a customer, or undefined when it may. A person, whom a face vouches for, may wear a grey
 * shirt before a grey wall.
 */
export function findRefusal(segmentation: Segmentation, isPerson = false): string | undefined {
  const { area, weakOutline, foreignShare, whole, missed } = gatherEvidence(segmentation);
  if (area < MIN_SHARE) return 'nothing found';
  if (area > MAX_SHARE) return 'everything found';
  if (weakOutline > (isPerson ? 0.3 : 0.2)) return 'the outline is too weak';
  if (foreignShare < (isPerson ? 0.2 : 0.6)) return 'the product has the colours of its background';
  if (whole < 0.85) return 'several pieces, none of them the product';
  if (missed > 0.15) return 'other things are as striking as the product';
  if (!isPerson && hasLeftOut(segmentation)) return 'what was left out is no background';
  return undefined;
}

export function hasLeftOut(
  { mask, unlikeBorder, width, height }: Segmentation,
  foundBy: keyof typeof MOST_LEFT_OUT = 'colours',
): boolean {
  return measureLeftOut(mask, unlikeBorder, width, height) > MOST_LEFT_OUT[foundBy];
}

const LEAST_CRISP = 0.92; // products that edges found: 0.93-1; things half found: 0.65-0.85
const LARGEST_BY_EDGES = 0.6;

/** The same question for a mask that only its edges speak for. */
export function findLooseOutline(mask: Uint8Array, crisp: number, width: number, height: number): string | undefined {
  const area = countOnes(mask);
  const pieces = findRegions(mask, width, height).map((region) => region.pixels.length);
  if (area < MIN_SHARE * mask.length) return 'nothing found';
  if (area > LARGEST_BY_EDGES * mask.length) return 'everything found';
  if (crisp < LEAST_CRISP) return 'the outline is not closed';
  if (Math.max(0, ...pieces) < 0.95 * area) return 'several pieces';
  return undefined;
}

const MOST_WEAK = 0.2; // of the outline: figures that joints found have 0-0.05, one that missed its shirt 0.22

/** The same question for a mask that a face and a skeleton speak for. */
export function findBlurredFigure(segmentation: Segmentation): string | undefined {
  const { area, weakOutline } = gatherEvidence(segmentation);
  if (area < MIN_SHARE) return 'nothing found';
  if (area > MAX_SHARE) return 'everything found';
  return weakOutline > MOST_WEAK ? 'the outline of the person is too weak' : undefined;
}
