/** Recognises whether a shape is a garment, for which part of the body, and the right way up. */
import { readWorn } from '../people/worn.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import type { Garment } from './garment.ts';

/** Means of the clothes network's output within a shape, 0..1: as clothes of the upper and of the lower body. */
export type Cloth = {
  upper: number;
  lower: number;
  /** Both, in its upper rows. */
  top: number;
};

const SIDE = 352; // px: the network's larger input
const BACKGROUNDS = [255, 0]; // white, black: shoes and sofas often count as cloth on one of them, garments on both
const TOP = 0.2; // of its height: where a person has a head

/** Measures the cloth in a shape, before white and before black. @param alpha the shape's, 0..1, of any size */
export async function measureCloth(picture: Rgb, alpha: Plane): Promise<Cloth> {
  const small = await shrinkRgb(picture, SIDE);
  const smallAlpha = resizePlane(alpha, small);
  const box = findBox(threshold(smallAlpha, 0.5), 0);
  const cloth = { upper: 0, lower: 0, top: 0 };
  if (!box) return cloth;
  const topRows = Math.round(box.top + TOP * box.height);
  for (const background of BACKGROUNDS) {
    const { upper, lower } = await readWorn(layOn(small, smallAlpha, background));
    const mean = (part: Plane, rows = small.height) => meanWithin(part, smallAlpha, rows) / BACKGROUNDS.length;
    cloth.upper += mean(upper);
    cloth.lower += mean(lower);
    cloth.top += mean(upper, topRows) + mean(lower, topRows);
  }
  return cloth;
}

function layOn({ width, height, data }: Rgb, alpha: Plane, background: number): Rgb {
  return {
    width,
    height,
    data: data.map((byte, n) => background - (background - byte) * alpha.data[Math.floor(n / 3)]!),
  };
}

/** The mean of a part over the shape's pixels in the upper rows. */
function meanWithin(part: Plane, alpha: Plane, rows: number): number {
  let [sum, all] = [0, 0];
  for (let i = 0; i < rows * alpha.width; i += 1) {
    if (alpha.data[i]! <= 0.5) continue;
    sum += part.data[i]!;
    all += 1;
  }
  return sum / Math.max(1, all);
}

const CLOTH = 0.42; // least mean: photographed garments have .48 or more, hats, shoes and most things below .25
const MIRRORED = 0.86; // overlap of the shape with its mirror image
const MAX_LENGTH = 4.5; // chest widths: the longest dresses stay below 4
const LONG = 0.5; // chest widths: caps bulge beside their visor by less

/** True for clothes, by the network or by two long sleeves. */
export function isWearable(garment: Garment, { upper, lower }: Cloth): boolean {
  const { top, bottom, chest, sleeves } = garment;
  if ((bottom - top) / chest > MAX_LENGTH) return false;
  if (upper + lower > CLOTH) return true;
  return hasSpreadSleeves(garment) && sleeves.every((sleeve) => sleeve!.axis.length > LONG * chest);
}

/** True for a symmetric shape with two sleeves that are spread beside a body, like a T-shirt's. */
export function hasSpreadSleeves(garment: Garment | undefined): boolean {
  if (garment?.cut !== 'plain' || garment.mirrored <= MIRRORED) return false;
  return garment.sleeves.every((sleeve) => sleeve !== undefined);
}

const LOWER = 0.5; // more of the lower than of the upper body: shirts without visible sleeves have less than .1 more

/**
 * True for trousers and skirts, by shape (two legs, a straight waist) or, where no sleeve is apart from the body, by
 * the network, which takes T-shirts for clothes of the lower body, too.
 */
export function isForLegs({ cut, sleeves }: Pick<Garment, 'cut' | 'sleeves'>, { upper, lower }: Cloth): boolean {
  if (cut === 'split' || cut === 'waist') return true;
  const showsSleeve = cut !== 'hanging' && sleeves.some((sleeve) => sleeve !== undefined);
  return !showsSleeve && lower - upper > LOWER;
}

const ARMHOLE = 0.3; // chest widths from shoulders to armpits: flat lays have .4 or more

/** True for an upside-down garment: a hem at the top, or sleeves that branch off above an armhole's depth. */
export function liesUpsideDown({ sleeves, pits, top, chest, cut }: Garment): boolean {
  if (cut === 'split' || cut === 'over') return cut === 'over';
  return sleeves.every((sleeve, n) => sleeve !== undefined && pits[n]!.y - top < ARMHOLE * chest);
}
