/** From the working size back to every pixel of the upload. */
import { coverOf, mapBytes, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { makeSampler, sample, type Sampler } from '../pixels/sample.ts';
import { clearBleeding } from './bleeding.ts';
import { fitCover, makeCoverReader } from './edges.ts';
import type { Colours } from './foreground.ts';

const REACH = 1; // pixels of the small copy: so far an edge may lie beside that of the small cover

/**
 * Cover 0..255 at full size: that of the small copy, and along the outline what its dependence on the colours of the
 * small copy says of each pixel's own. `alpha` has the size of `small`.
 */
export function growAlpha(picture: Rgb, alpha: Plane, small: Rgb): Uint8Array {
  const { width, height } = picture;
  if (alpha.width === width) return mapBytes(alpha.data, (cover) => Math.round(255 * cover));
  const read = makeCoverReader(picture, fitCover(small, alpha, REACH));
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
 * The product's own colours at full size, running on a little beyond its edge: the picture's bytes, which are changed
 * unless `small` has the same. What came without a ground has its own colours as far as it covers anything. A ground
 * that is seen leaves the rim of a photo that was not made smaller; in a larger one it is less than a pixel of what is
 * looked at.
 */
export function paintProduct(
  picture: Rgb,
  alpha: Uint8Array,
  front: Colours,
  small: Rgb,
  { hasGround }: { hasGround: boolean },
): Uint8Array {
  const data = picture.data === small.data ? new Uint8Array(small.data) : picture.data;
  paintForeground({ ...picture, data }, alpha, front, small, hasGround ? 255 : 1);
  if (hasGround && picture.width === small.width) clearBleeding(data, small, coverOf(picture, alpha));
  return data;
}

/**
 * Changes the picture, whose copy would be too large: its own bytes stay from the cover `own` (1..255) on, estimated
 * colours (of the size `small`) come along its edge and, coarsely, beyond it.
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
      const cover = alpha[i]!;
      if (cover >= own) continue;
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
