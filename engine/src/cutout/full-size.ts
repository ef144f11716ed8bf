/** Brings alpha and foreground colours from the working size to the upload's full size. */
import { toAlpha, mapBytes, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { makeSampler, sample, type Sampler } from '../pixels/sample.ts';
import { clearBleeding } from './bleeding.ts';
import { fitAlpha, makeAlphaReader } from './edges.ts';
import type { Colours } from './foreground.ts';

const REACH = 1; // pixels of the small copy: how far an edge may lie from that of the small alpha

/**
 * Returns alpha 0..255 at full size: upsampled from the small copy, and along the outline by the small copy's linear
 * model of alpha, applied to each pixel's own colour. `alpha` has the size of `small`.
 */
export function growAlpha(picture: Rgb, alpha: Plane, small: Rgb): Uint8Array {
  const { width, height } = picture;
  if (alpha.width === width) return mapBytes(alpha.data, (value) => Math.round(255 * value));
  const read = makeAlphaReader(picture, fitAlpha(small, alpha, REACH));
  const sampler = makeSampler(alpha, picture);
  const settled = findSettled(alpha);
  const out = new Uint8Array(width * height);
  for (let i = 0; i < out.length; i += 1) {
    const x = i % width;
    const y = (i - x) / width;
    const cell = settled[sampler.rowAt(y) + sampler.columnAt(x)]!;
    out[i] = cell === MIXED ? Math.round(255 * Math.min(1, Math.max(0, read(i)))) : 255 * cell;
  }
  return out;
}

const MIXED = 2;

/** For each pixel and its neighbours to the right and below: 0 if alpha is 0 in all, 1 if 1 in all, else MIXED. */
function findSettled({ width, height, data }: Plane): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < out.length; i += 1) {
    const right = i % width === width - 1 ? 0 : 1;
    const below = i < (height - 1) * width ? width : 0;
    const value = data[i]!;
    const isAlike = data[i + right] === value && data[i + below] === value && data[i + below + right] === value;
    out[i] = isAlike && (value === 0 || value === 1) ? value : MIXED;
  }
  return out;
}

/**
 * Returns foreground colours at full size, extended a little beyond the edge, in the picture's own buffer unless
 * `small` shares it. An upload without background keeps its own colours wherever alpha is above 0. Bleeding is cleared
 * only in photos that were not scaled down: in larger ones it is narrower than a displayed pixel.
 */
export function paintProduct(
  picture: Rgb,
  alpha: Uint8Array,
  front: Colours,
  small: Rgb,
  { hasBackground }: { hasBackground: boolean },
): Uint8Array {
  const data = picture.data === small.data ? new Uint8Array(small.data) : picture.data;
  paintForeground({ ...picture, data }, alpha, front, small, hasBackground ? 255 : 1);
  if (hasBackground && picture.width === small.width) clearBleeding(data, small, toAlpha(picture, alpha));
  return data;
}

/**
 * Overwrites the picture in place, because a copy would be too large. Pixels with an alpha of at least `own` (1..255)
 * stay; estimated colours (of the size `small`) follow along the edge and, coarsely, beyond it.
 */
function paintForeground(
  { width, height, data: rgb }: Rgb,
  alpha: Uint8Array,
  front: Colours,
  small: Size,
  own: number,
): void {
  const sampler = makeSampler(small, { width, height });
  const nearest = new Uint8Array(width * 3);
  for (let y = 0; y < height; y += 1) {
    if (y === 0 || sampler.rowAt(y) !== sampler.rowAt(y - 1)) fillNearest(nearest, front, sampler, y);
    const end = (y + 1) * width;
    for (let i = y * width; i < end; i += 1) {
      const value = alpha[i]!;
      if (value >= own) continue;
      if (value > 0) {
        sampler.moveTo(i + width - end, y);
        writeColour(rgb, i * 3, sampler, front);
        continue;
      }
      const from = i;
      while (i + 1 < end && alpha[i + 1] === 0) i += 1;
      rgb.set(nearest.subarray((from + width - end) * 3, (i + 1 + width - end) * 3), from * 3);
    }
  }
}

/** Writes the sampled colour into `rgb` at offset `at`. */
function writeColour(rgb: Uint8Array, at: number, sampler: Sampler, colours: Colours): void {
  for (let c = 0; c < 3; c += 1) rgb[at + c] = Math.round(sample(sampler, colours, 3, c));
}

/** Fills part of a row with the small picture's nearest colours. */
function fillNearest(line: Uint8Array, colours: Colours, sampler: Sampler, y: number): void {
  const row = sampler.rowAt(y);
  for (let x = 0; x * 3 < line.length; x += 1) {
    const from = (row + sampler.columnAt(x)) * 3;
    for (let c = 0; c < 3; c += 1) line[x * 3 + c] = colours[from + c]!;
  }
}
