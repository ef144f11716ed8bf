import { readWorn } from '../people/worn.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';

const SIDE = 352; // px: the network's larger look
const GROUNDS = [255, 0]; // white, black: shoes and sofas are often cloth to it on one of them, garments on both
const CLOTH = 0.6; // mean of what the network for clothes sees in the shape
const TOP = 0.2; // of its height: where a person has a head, and at most .07 of cloth; a garment has .5 and more
const CLOTH_ON_TOP = 0.2;
const WIDEST = 1.6; // times its height: shoes, sofas and cars from the side are wider, and only spread sleeves

/**
 * Whether a thing is a garment that nobody wears. It lies, or hangs: it has no foot to stand on.
 * @param given its cover, 0..1, of any size
 */
export async function isGarmentAlone(picture: Rgb, given: Plane): Promise<boolean> {
  const small = await shrinkRgb(picture, SIDE);
  const cover = resizePlane(given, small);
  const box = findBox(threshold(cover, 0.5), 0);
  if (!box || box.width > WIDEST * box.height) return false;
  const top = Math.round(box.top + TOP * box.height);
  const cloth = { all: 0, top: 0 };
  for (const ground of GROUNDS) {
    const { upper, lower } = await readWorn(layOn(small, cover, ground));
    const measure = (height: number) => measureCloth(upper, lower, cover, height * small.width) / GROUNDS.length;
    cloth.all += measure(small.height);
    cloth.top += measure(top);
  }
  return cloth.all > CLOTH && cloth.top > CLOTH_ON_TOP;
}

function layOn({ width, height, data }: Rgb, cover: Plane, ground: number): Rgb {
  return { width, height, data: data.map((byte, n) => ground - (ground - byte) * cover.data[Math.floor(n / 3)]!) };
}

/** The mean of both planes over what is covered of the first pixels. */
function measureCloth(upper: Plane, lower: Plane, cover: Plane, pixels: number): number {
  let [cloth, all] = [0, 0];
  for (let i = 0; i < pixels; i += 1) {
    if (cover.data[i]! <= 0.5) continue;
    cloth += upper.data[i]! + lower.data[i]!;
    all += 1;
  }
  return cloth / Math.max(1, all);
}
