/** From the working size back to every pixel of the upload. */
import { makeSampler, sample, type Sampler } from '../pixels/sample.ts';
import { mapBytes } from '../pixels/map.ts';
import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import type { Colours, Layers } from './foreground.ts';

const OPAQUE = 254; // of 255
const NOTHING = 0.002;
const DOUBT = 24; // of 255: two colours so far apart tell little of the cover between them
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
  let i = -1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      i += 1;
      const cell = settled[sampler.cornerAt(x, y)]!;
      if (cell !== MIXED) {
        out[i] = 255 * cell;
        continue;
      }
      sampler.moveTo(x, y);
      const cover = sample(sampler, alpha.data);
      if (cover <= NOTHING) continue;
      if (cover >= 1 - NOTHING) {
        out[i] = Math.round(255 * cover);
        continue;
      }
      let [along, apart] = [0, 0];
      for (let c = 0; c < 3; c += 1) {
        const behind = sample(sampler, back, 3, c);
        const step = sample(sampler, front, 3, c) - behind;
        along += (rgb[i * 3 + c]! - behind) * step;
        apart += step * step;
      }
      const seen = keepNear(along / (apart + 1), sampler, alpha.data);
      const trust = apart / (apart + DOUBT * DOUBT);
      out[i] = Math.round(255 * (trust * seen + (1 - trust) * cover));
    }
  }
  return out;
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
  let i = -1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      i += 1;
      const cover = alpha[i]!;
      if (cover >= OPAQUE) continue;
      const nearest = sampler.cornerAt(x, y) * 3;
      if (cover > 0) sampler.moveTo(x, y);
      for (let c = 0; c < 3; c += 1)
        rgb[i * 3 + c] = cover > 0 ? Math.round(sample(sampler, front, 3, c)) : front[nearest + c]!;
    }
  }
}
