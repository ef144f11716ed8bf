// From the working size back to every pixel of the upload.
import type { Picture } from '../pixels/decode.ts';
import { makeSampler, sample } from '../pixels/sampler.ts';
import { mapBytes } from '../pixels/map.ts';
import type { Colours } from './foreground.ts';
import type { Glass } from './glass.ts';
import { fitAlpha } from './guided.ts';

type Size = Pick<Picture, 'width' | 'height'>;

const OPAQUE = 254; // of 255
const NOTHING = 0.001;

/** Alpha at full size: copied inside and outside, fitted to the full picture's own colours along the outline. */
export function growAlpha(picture: Picture, small: Picture, alpha: Float32Array): Uint8Array {
  const { width, height, rgb } = picture;
  if (small.width === width) return mapBytes(alpha, (a) => Math.round(a * 255));
  const out = new Uint8Array(width * height);
  const [red, green, blue, offset] = fitAlpha(small, alpha, 3).planes;
  const sampler = makeSampler(small, picture);
  for (let i = 0; i < out.length; i += 1) {
    const x = i % width;
    sampler.moveTo(x, (i - x) / width);
    const cover = sample(sampler, alpha);
    if (cover <= NOTHING) continue;
    if (cover >= 1 - NOTHING) {
      out[i] = 255;
      continue;
    }
    const fitted =
      (sample(sampler, red) * rgb[i * 3]! +
        sample(sampler, green) * rgb[i * 3 + 1]! +
        sample(sampler, blue) * rgb[i * 3 + 2]!) /
        255 +
      sample(sampler, offset);
    out[i] = Math.round(255 * Math.min(1, Math.max(0, (fitted - 0.03) / 0.94)));
  }
  return out;
}

/**
 * Changes the picture, whose copy would be too large: its own bytes stay where the product is opaque, estimated colours come along
 * its edge and (coarsely) beyond it.
 */
export function paintForeground({ width, height, rgb }: Picture, alpha: Uint8Array, front: Colours, small: Size): void {
  const sampler = makeSampler(small, { width, height });
  for (let i = 0; i < alpha.length; i += 1) {
    const cover = alpha[i]!;
    if (cover >= OPAQUE) continue;
    const x = i % width;
    sampler.moveTo(x, (i - x) / width);
    if (cover === 0) {
      const nearest = sampler.corners[0]! * 3;
      for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = front[nearest + c]!;
      continue;
    }
    for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = Math.round(sample(sampler, front, 3, c));
  }
}

/**
 * Changes the picture, whose copy would be too large, to the colours of glass alone, such that in front of the old background they
 * give the photo again; returns the cover of each pixel, 0..255.
 */
export function paintGlass({ width, height, rgb }: Picture, small: Picture, { alpha, behind }: Glass): Uint8Array {
  const sampler = makeSampler(small, { width, height });
  const out = new Uint8Array(width * height);
  for (let i = 0; i < out.length; i += 1) {
    const x = i % width;
    sampler.moveTo(x, (i - x) / width);
    const cover = sample(sampler, alpha);
    out[i] = Math.round(255 * cover);
    if (cover <= NOTHING) continue;
    for (let c = 0; c < 3; c += 1) {
      const was = sample(sampler, behind, 3, c);
      rgb[i * 3 + c] = Math.min(255, Math.max(0, Math.round(was + (rgb[i * 3 + c]! - was) / cover)));
    }
  }
  return out;
}
