import { readGarment } from '../dress/garment.ts';
import { hasSpreadSleeves } from '../dress/recognise.ts';
import { measureCloth, readWorn } from '../people/worn.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';

const SIDE = 352; // px: the network's larger input
const BACKGROUNDS = [255, 0]; // white, black: shoes and sofas often count as cloth on one of them, garments on both
const CLOTH = 0.6; // least mean of the clothes network's output within the shape
const MAYBE = 0.42; // least mean if the shape has two sleeves: white T-shirts look like paper to the network
const TOP = 0.2; // of its height: there a person has a head, with at most .07 of cloth; a garment has .5 or more
const CLOTH_ON_TOP = 0.2;
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
  const top = Math.round(box.top + TOP * box.height);
  const cloth = { all: 0, top: 0 };
  for (const background of BACKGROUNDS) {
    const worn = await readWorn(layOn(small, smallAlpha, background));
    cloth.all += measureCloth(worn, smallAlpha) / BACKGROUNDS.length;
    cloth.top += measureCloth(worn, smallAlpha, top) / BACKGROUNDS.length;
  }
  if (cloth.all < MAYBE || cloth.top < CLOTH_ON_TOP) return false;
  return cloth.all > CLOTH || hasSpreadSleeves(readGarment(small, smallAlpha));
}

function layOn({ width, height, data }: Rgb, alpha: Plane, background: number): Rgb {
  return {
    width,
    height,
    data: data.map((byte, n) => background - (background - byte) * alpha.data[Math.floor(n / 3)]!),
  };
}
