/** Whether a shape that lies there is something to wear, the right way up. */
import { measureCloth, type Worn } from '../people/worn.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Garment } from './garment.ts';

const CLOTH = 0.42; // mean of what the network for clothes sees in the shape: mugs, bags and toys stay below .37
const MIRRORED = 0.86; // share of the shape that its mirror picture covers, of what has sleeves or a neckline
const LONGEST = 4.5; // chest widths: the longest dresses stay below 4

/** Clothes by the network that knows them, or by their shape: two sleeves on its own mirror picture, a neckline. */
export function looksWearable(garment: Garment, worn: Worn, alpha: Plane): boolean {
  const { top, bottom, chest, sleeves, opening, mirrored } = garment;
  if ((bottom - top) / chest > LONGEST) return false;
  if (measureCloth(worn, alpha) > CLOTH) return true;
  const hasSleeves = sleeves[0] !== undefined && sleeves[1] !== undefined;
  return mirrored > MIRRORED && (hasSleeves || opening.isSeen);
}

const ARMHOLE = 0.3; // chest widths from the shoulders down to the armpits: flat lays .4 and more

/** A hem at the top, or sleeves that part from the body higher than an armhole is deep. */
export function liesUpsideDown({ sleeves, pits, top, chest, cut }: Garment): boolean {
  if (cut === 'split' || cut === 'over') return cut === 'over';
  return sleeves.every((sleeve, n) => sleeve !== undefined && pits[n]!.y - top < ARMHOLE * chest);
}
