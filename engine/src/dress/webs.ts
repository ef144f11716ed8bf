/** Shapes and colours of cloth: what is garment, and what the matting left beside it. */
import { measureUnlikeWall } from '../people/wall.ts';
import { toLabPlanes, type Lab } from '../pixels/colour.ts';
import { countOnes, dilate, findBox, findRegions, invert, open as openMask, threshold } from '../pixels/mask.ts';
import { makeMask, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { median } from './rows.ts';

const SHADE = 20; // Lab lightness that a garment's shadow takes from the table
const LIKE_WALL = 8; // Lab units
const NO_EDGE = 1.6; // Lab units from one pixel to the next

/** A flat garment's shape without crumbs and webs. */
export function cleanMask(picture: Rgb, cover: Plane): Mask {
  const clean = removeWebs(picture, threshold(cover, 0.5), { shade: SHADE, unlike: LIKE_WALL, most: MOST_WEBS });
  return keepLargest(openMask(clean, 1.5));
}

const MOST_WEBS = 0.12; // of the garment

/**
 * Without the webs of background that a matting leaves under sleeves and arms: from outside, what is like the wall is
 * taken back up to the first edge, but not where the neck is.
 * @param limits Lab lightness that a shadow may take, Lab units up to which a pixel is like the wall, and the share of
 * the shape beyond which it has the wall's own colour and stays as it is
 */
export function removeWebs(picture: Rgb, whole: Mask, limits: { shade: number; unlike: number; most: number }): Mask {
  const { width } = picture;
  const clean = whole.data.slice();
  const lab = toLabPlanes(picture);
  const unlike = measureUnlikeWall(picture, invert(dilate(whole, 3)), limits.shade).data;
  const box = measureBox(whole);
  const isBeside = (i: number) => box !== undefined && Math.abs((i % width) - box.middle) > box.width / 6;
  const stack: number[] = [];
  for (let i = width; i < clean.length - width; i += 1) if (!clean[i]) stack.push(i);
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    for (const next of [i - 1, i + 1, i - width, i + width]) {
      if (!clean[next] || !isBeside(next) || unlike[next]! > limits.unlike || measureStep(lab, i, next) > NO_EDGE) {
        continue;
      }
      clean[next] = 0;
      stack.push(next);
    }
  }
  const left = { ...whole, data: clean };
  return countOnes(left) < (1 - limits.most) * countOnes(whole) ? whole : left;
}

/** How far two pixels, named by their index, are apart in Lab units. */
export function measureStep({ l, a, b }: Lab, one: number, other: number): number {
  return Math.hypot(l[one]! - l[other]!, a[one]! - a[other]!, b[one]! - b[other]!);
}

const OTHER_COLOUR = 18; // Lab units, light counted half

/** Says of a pixel whether it has another colour than most of some others have; all are named by their index. */
export function tellOtherColour({ l, a, b }: Lab, pixels: readonly number[]): (i: number) => boolean {
  const usual = [l, a, b].map((plane) => median(Float32Array.from(pixels, (i) => plane[i]!)) ?? 0);
  return (i) => Math.hypot((l[i]! - usual[0]!) / 2, a[i]! - usual[1]!, b[i]! - usual[2]!) > OTHER_COLOUR;
}

/** The largest connected piece alone. */
export function keepLargest(mask: Mask): Mask {
  const [largest] = findRegions(mask).sort((one, other) => other.pixels.length - one.pixels.length);
  const out = makeMask(mask);
  for (const i of largest?.pixels ?? []) out.data[i] = 1;
  return out;
}

/** First and last row, mean column and breadth of what is set, in pixels; undefined where nothing is. */
export function measureBox(mask: Mask): { top: number; bottom: number; middle: number; width: number } | undefined {
  const box = findBox(mask, 0);
  if (!box) return undefined;
  let sum = 0;
  for (let i = 0; i < mask.data.length; i += 1) if (mask.data[i]) sum += i % mask.width;
  return { width: box.width - 1, top: box.top, bottom: box.top + box.height - 1, middle: sum / countOnes(mask) };
}
