/** Guarantees what the user's marks promise, whatever the network did with them. */
import { boxBlur } from '../pixels/blur.ts';
import { flood } from '../pixels/mask.ts';
import { makeMask, readChannel, type Mask, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { isInBox, pixelAt, type Dot, type Marks } from './marks.ts';

const SAME_COLOUR = 36; // of 255: RGB distance from the dab's centre; a larger one means that an edge was crossed
const SMOOTHED = 2; // pixels: blur that hides film grain and fabric weave

/**
 * Sets alpha to 1 in keep dabs and to 0 in drop dabs, each flood-filled over similar colours from its centre, and to 0
 * outside the box. `alpha` has the picture's size.
 */
export function enforceMarks(picture: Rgb, alpha: Plane, marks: Marks): Plane {
  const { width, height } = alpha;
  const { box } = marks;
  const keep = floodDabs(picture, marks.keep ?? []);
  const drop = floodDabs(picture, marks.drop ?? []);
  const wanted = alpha.data.map((value, i) => (drop.data[i] ? 0 : keep.data[i] ? 1 : value));
  const touched = wanted.map((value, i) => (value === alpha.data[i] ? 0 : 1));
  // Soften the rim of changed areas by a pixel, like an edge in a photo.
  const soft = boxBlur({ width, height, data: wanted }, 1).data;
  const near = boxBlur({ width, height, data: touched }, 1).data;
  const data = wanted.map((value, i) => (near[i]! > 0 ? soft[i]! : value));
  // Softening would erase a dab of a single pixel.
  for (const [x, y] of marks.keep ?? []) {
    const centre = pixelAt(alpha, x, y);
    if (!drop.data[centre]) data[centre] = 1;
  }
  return { width, height, data: box ? data.map((value, i) => (isInBox(alpha, box, i) ? value : 0)) : data };
}

/** Repeats it at full size, after edges were refitted. `small`: result of `enforceMarks`. Changes `alpha` (0..255). */
export function reapplyMarks(alpha: Uint8Array, size: Size, small: Plane, { box, keep = [], drop = [] }: Marks): void {
  const radius = Math.max(2, Math.ceil((1.5 * size.width) / small.width));
  const isKept = ([x, y]: Dot) => small.data[pixelAt(small, x, y)]! > 0.5;
  for (const dot of keep) if (isKept(dot)) fillDab(alpha, size, dot, radius, 255);
  for (const dot of drop) fillDab(alpha, size, dot, radius, 0);
  if (!box) return;
  for (let i = 0; i < alpha.length; i += 1) if (!isInBox(size, box, i)) alpha[i] = 0;
}

function fillDab(alpha: Uint8Array, { width, height }: Size, [x, y]: Dot, radius: number, value: number): void {
  const [cx, cy] = [x * width, y * height];
  const right = Math.min(width, Math.ceil(cx + radius));
  for (let row = Math.max(0, Math.floor(cy - radius)); row < Math.min(height, cy + radius); row += 1) {
    alpha.fill(value, row * width + Math.max(0, Math.floor(cx - radius)), row * width + right);
  }
}

/** Flood-fills similar colours from the centre of each dab, within its circle. Each pixel belongs to one dab. */
function floodDabs(picture: Rgb, dots: readonly Dot[]): Mask {
  const { width, height } = picture;
  const out = makeMask(picture);
  if (dots.length === 0) return out;
  const channels = [0, 1, 2].map((c) => boxBlur(readChannel(picture, c), SMOOTHED).data);
  const centres = dots.map(([x, y]) => pixelAt(picture, x, y));
  const owner = new Int32Array(width * height);
  for (const [dot, centre] of [...centres.entries()].toReversed()) owner[centre] = dot;
  const belongs = (pixel: number, from: number) => {
    const dot = owner[from]!;
    const [x, y, radius] = dots[dot]!;
    const away = Math.hypot((pixel % width) + 0.5 - x * width, Math.floor(pixel / width) + 0.5 - y * height);
    if (pixel !== from && away > radius * Math.max(width, height)) return false;
    let distance = 0;
    for (const channel of channels) distance += (channel[pixel]! - channel[centres[dot]!]!) ** 2;
    if (distance > SAME_COLOUR ** 2) return false;
    owner[pixel] = dot;
    return true;
  };
  flood(picture, centres, belongs, out.data);
  return out;
}
