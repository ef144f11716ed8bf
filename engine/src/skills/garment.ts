import { readGarment } from '../dress/garment.ts';
import { hasSpreadSleeves, measureCloth } from '../dress/recognise.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';

const SIDE = 352; // px
const CLOTH = 0.6; // least mean of the clothes network's output within the shape
const MAYBE = 0.42; // least mean if the shape has two sleeves: white T-shirts look like paper to the network
const CLOTH_ON_TOP = 0.2; // a person's head has at most .07 of cloth, a garment .5 or more
const MAX_ASPECT = 1.6; // of its height: shoes, sofas and cars from the side are wider; of garments only spread sleeves

/**
 * True if the product is a garment that nobody wears: it lies or hangs, because it has no foot to stand on.
 * @param alpha its alpha, 0..1, of any size
 */
export async function isGarmentAlone(picture: Rgb, alpha: Plane): Promise<boolean> {
  const small = await shrinkRgb(picture, SIDE);
  const smallAlpha = resizePlane(alpha, small);
  const box = findBox(threshold(smallAlpha, 0.5), 0);
  if (!box || box.width > MAX_ASPECT * box.height) return false;
  const { upper, lower, top } = await measureCloth(small, smallAlpha);
  if (upper + lower < MAYBE || top < CLOTH_ON_TOP) return false;
  return upper + lower > CLOTH || hasSpreadSleeves(readGarment(small, smallAlpha));
}
