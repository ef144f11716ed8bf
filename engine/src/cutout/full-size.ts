/** From the working size back to every pixel of the upload. */
import { makeSampler, sample, type Sampler } from '../pixels/sample.ts';
import { mapBytes } from '../pixels/map.ts';
import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import { DOUBT, MISFIT } from './edges.ts';
import type { Colours, Layers } from './foreground.ts';

const OPAQUE = 254; // of 255
const NOTHING = 0.002;
const FREEDOM = 0.1; // beyond the small copy's cover around a pixel: a weave's dots are no hairs of the product

/**
 * Cover 0..255 at full size: that of the small copy, and along the outline what each pixel's own colour says of the two
 * layers that mix in it, as far as they differ.
 */
export function growAlpha(picture: Rgb, alpha: Plane, { front, back }: Layers): Uint8Array {
  const { width, height, data: rgb } = picture;
  if (alpha.width === width) return mapBytes(alpha.data, (cover) => (cover <= NOTHING ? 0 : Math.round(255 * cover)));
  const out = new Uint8Array(width * height);
  const sampler = makeSampler(alpha, picture);
  const settled = findSettled(alpha);
  const line = new Uint8Array(width);
  let mixed: number[] = []; // columns
  for (let y = 0; y < height; y += 1) {
    if (y === 0 || sampler.rowAt(y) !== sampler.rowAt(y - 1)) mixed = fillSettled(line, settled, sampler, y);
    out.set(line, y * width);
    for (const x of mixed) {
      sampler.moveTo(x, y);
      const i = y * width + x;
      out[i] = solveCover(rgb, i * 3, sampler, alpha.data, back, front);
    }
  }
  return out;
}

/** Writes the cover of a row into `line` as far as it is settled; gives the columns where it is not. */
function fillSettled(line: Uint8Array, settled: Uint8Array, sampler: Sampler, y: number): number[] {
  const row = sampler.rowAt(y);
  const mixed: number[] = [];
  for (let x = 0; x < line.length; x += 1) {
    const cell = settled[row + sampler.columnAt(x)]!;
    if (cell === MIXED) mixed.push(x);
    else line[x] = 255 * cell;
  }
  return mixed;
}

/** Of one pixel of the full size, which begins at `at` of `rgb` and on which the sampler stands. */
function solveCover(
  rgb: Uint8Array,
  at: number,
  sampler: Sampler,
  alpha: Float32Array,
  back: Colours,
  front: Colours,
): number {
  const cover = sample(sampler, alpha);
  if (cover <= NOTHING) return 0;
  if (cover >= 1 - NOTHING) return Math.round(255 * cover);
  let [along, apart, away] = [0, 0, 0];
  for (let c = 0; c < 3; c += 1) {
    const behind = sample(sampler, back, 3, c);
    const step = sample(sampler, front, 3, c) - behind;
    const own = rgb[at + c]! - behind;
    along += own * step;
    apart += step * step;
    away += own * own;
  }
  const share = along / (apart + 1);
  const misfit = Math.sqrt(Math.max(0, away - share * along)) / MISFIT;
  const trust = (apart / (apart + DOUBT * DOUBT)) * Math.exp(-misfit);
  const seen = keepNear(share, sampler, alpha);
  return Math.round(255 * (trust * seen + (1 - trust) * cover));
}

/** `seen`, at most FREEDOM beyond the small copy's cover around where the sampler stands. */
function keepNear(seen: number, { corners }: Sampler, cover: Float32Array): number {
  const one = cover[corners[0]!]!;
  let [least, most] = [one, one];
  for (let n = 1; n < 4; n += 1) {
    const value = cover[corners[n]!]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return Math.min(most + FREEDOM, 1, Math.max(least - FREEDOM, 0, seen));
}

const MIXED = 2;

/** Of every pixel with its neighbours to the right and below: 0 all bare, 1 all covered, else MIXED. */
function findSettled({ width, height, data }: Plane): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < out.length; i += 1) {
    const right = i % width === width - 1 ? 0 : 1;
    const below = i < (height - 1) * width ? width : 0;
    const cover = data[i]!;
    const isAlike = data[i + right] === cover && data[i + below] === cover && data[i + below + right] === cover;
    out[i] = isAlike && (cover === 0 || cover === 1) ? cover : MIXED;
  }
  return out;
}

/**
 * Changes the picture, whose copy would be too large: its own bytes stay where the product is opaque, estimated colours
 * (of the size `small`) come along its edge and, coarsely, beyond it.
 */
export function paintForeground(
  { width, height, data: rgb }: Rgb,
  alpha: Uint8Array,
  front: Colours,
  small: Size,
): void {
  const sampler = makeSampler(small, { width, height });
  const nearest = new Uint8Array(width * 3);
  for (let y = 0; y < height; y += 1) {
    if (y === 0 || sampler.rowAt(y) !== sampler.rowAt(y - 1)) fillNearest(nearest, front, sampler, y);
    const end = (y + 1) * width;
    for (let i = y * width; i < end; i += 1) {
      const cover = alpha[i]!;
      if (cover >= OPAQUE) continue;
      if (cover > 0) {
        sampler.moveTo(i + width - end, y);
        takeColour(rgb, i * 3, sampler, front);
        continue;
      }
      const from = i;
      while (i + 1 < end && alpha[i + 1] === 0) i += 1;
      rgb.set(nearest.subarray((from + width - end) * 3, (i + 1 + width - end) * 3), from * 3);
    }
  }
}

/** Writes what the sampler reads of `colours` into `rgb` from `at` on. */
function takeColour(rgb: Uint8Array, at: number, sampler: Sampler, colours: Colours): void {
  for (let c = 0; c < 3; c += 1) rgb[at + c] = Math.round(sample(sampler, colours, 3, c));
}

/** Writes the small picture's nearest colours along a row. */
function fillNearest(line: Uint8Array, colours: Colours, sampler: Sampler, y: number): void {
  const row = sampler.rowAt(y);
  for (let x = 0; x * 3 < line.length; x += 1) {
    const from = (row + sampler.columnAt(x)) * 3;
    for (let c = 0; c < 3; c += 1) line[x * 3 + c] = colours[from + c]!;
  }
}
