/**
 * Removes background colour from the product's rim. JPEG 4:2:0 stores chroma at half the resolution of luma, so
 * background colour bleeds across the edge, even where alpha is right.
 */
import { boxBlur } from '../pixels/blur.ts';
import { clampByte } from '../pixels/colour.ts';
import { dilate, erode, invert, threshold } from '../pixels/mask.ts';
import { makePlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';

const REACH = 1; // pixels that chroma bleeds across the edge
const AROUND = 12; // pixels: radius in which product and background colours are averaged
const CELL = 4; // pixels: side of the cells in which colours are summed
const FEW = 0.1; // pixels per cell on average: with fewer there is no reliable colour
const MAX_GAINED = 2; // times the pixel's chroma: keeps the grey rim of a red can grey

/**
 * Moves the chroma of each rim pixel back from the background's towards the product's; luma stays. Changes `rgb`, the
 * product's colours, in place. `photo` is the original picture, `alpha` is 0..1.
 */
export function clearBleeding(rgb: Uint8Array, photo: Rgb, alpha: Plane): void {
  const shown = threshold(alpha, 0.001);
  const inside = erode(threshold(alpha, 0.999), REACH);
  const readOwn = makeColourReader(photo, inside);
  const readBackground = makeColourReader(photo, invert(dilate(shown, REACH)));
  for (let i = 0; i < alpha.data.length; i += 1) {
    if (shown.data[i] === 0 || inside.data[i] === 1) continue;
    const [own, background] = [readOwn(i), readBackground(i)];
    if (!own || !background) continue;
    const here = readColour(rgb, i);
    // a shaded surface has less chroma as well
    const shade = Math.min(1, here.y / Math.max(1, own.y));
    const [u, v] = [background.u - own.u * shade, background.v - own.v * shade];
    const way = ((here.u - own.u * shade) * u + (here.v - own.v * shade) * v) / Math.max(1, u * u + v * v);
    if (way <= 0) continue;
    const [byU, byV] = [-Math.min(1, way) * u, -Math.min(1, way) * v];
    const maxChroma = MAX_GAINED * Math.hypot(here.u, here.v);
    if (Math.hypot(here.u + byU, here.v + byV) < maxChroma) addColour(rgb, i, byU, byV);
  }
}

/** Luma, B - luma and R - luma (ITU-R BT.601), on the scale of 0..255. */
type Colour = { y: number; u: number; v: number };

function readColour(rgb: Uint8Array, i: number): Colour {
  const y = 0.299 * rgb[i * 3]! + 0.587 * rgb[i * 3 + 1]! + 0.114 * rgb[i * 3 + 2]!;
  return { y, u: rgb[i * 3 + 2]! - y, v: rgb[i * 3]! - y };
}

function addColour(rgb: Uint8Array, i: number, u: number, v: number): void {
  const changes = [v, -(0.299 * v + 0.114 * u) / 0.587, u];
  for (const [c, change] of changes.entries()) rgb[i * 3 + c] = Math.round(clampByte(rgb[i * 3 + c]! + change));
}

/** Returns a reader of the mean colour of masked pixels around pixel `i`; undefined where there are too few. */
function makeColourReader({ data: rgb }: Rgb, { width, height, data }: Mask): (i: number) => Colour | undefined {
  const size = { width: Math.ceil(width / CELL), height: Math.ceil(height / CELL) };
  const cellOf = (i: number) => Math.floor(i / width / CELL) * size.width + Math.floor((i % width) / CELL);
  const [counts, ys, us, vs] = [makePlane(size), makePlane(size), makePlane(size), makePlane(size)];
  for (let i = 0; i < data.length; i += 1) {
    if (data[i] === 0) continue;
    const cell = cellOf(i);
    const { y, u, v } = readColour(rgb, i);
    counts.data[cell]! += 1;
    ys.data[cell]! += y;
    us.data[cell]! += u;
    vs.data[cell]! += v;
  }
  const [n, y, u, v] = [counts, ys, us, vs].map((plane) => boxBlur(plane, AROUND / CELL).data);
  return (i) => {
    const cell = cellOf(i);
    const count = n![cell]!;
    return count < FEW ? undefined : { y: y![cell]! / count, u: u![cell]! / count, v: v![cell]! / count };
  };
}
