/** Recognises whether a shape is a garment, and the right way up. */
import { measureCloth, type Worn } from '../people/worn.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Garment } from './garment.ts';

const CLOTH = 0.42; // least mean of the clothes network's output within the shape: mugs, bags and toys are below .37
const MIRRORED = 0.86; // overlap of the shape with its mirror image, for shapes with sleeves or a neckline
const MAX_LENGTH = 4.5; // chest widths: the longest dresses stay below 4

/** True for clothes, by the network or by shape: symmetric with two sleeves, or with a neckline. */
export function isWearable(garment: Garment, worn: Worn, alpha: Plane): boolean {
  const { top, bottom, chest, opening, mirrored } = garment;
  if ((bottom - top) / chest > MAX_LENGTH) return false;
  if (measureCloth(worn, alpha) > CLOTH) return true;
  return mirrored > MIRRORED && (hasSleeves(garment) || opening.isDetected);
}

const hasSleeves = ({ sleeves }: Garment) => sleeves.every((sleeve) => sleeve !== undefined);

/** True for a symmetric shape with two sleeves that are spread beside a body, like a T-shirt's. */
export function hasSpreadSleeves(garment: Garment | undefined): boolean {
  return garment?.cut === 'plain' && garment.mirrored > MIRRORED && hasSleeves(garment);
}

const ARMHOLE = 0.3; // chest widths from shoulders to armpits: flat lays have .4 or more

/** True for an upside-down garment: a hem at the top, or sleeves that branch off above an armhole's depth. */
export function liesUpsideDown({ sleeves, pits, top, chest, cut }: Garment): boolean {
  if (cut === 'split' || cut === 'over') return cut === 'over';
  return sleeves.every((sleeve, n) => sleeve !== undefined && pits[n]!.y - top < ARMHOLE * chest);
}
