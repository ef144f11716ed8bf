// From the working size back to every pixel of the upload.
import type { Picture } from '../pixels/decode.ts';
import { makeSampler, sample } from '../pixels/sampler.ts';
import type { Colours } from './foreground.ts';
import { fitAlpha } from './guided.ts';

const OPAQUE = 254; // of 255
const NOTHING = 0.001;

/** Alpha at full size: copied inside and outside, fitted to the full picture's own colours along the outline. */
export function growAlpha(picture: Picture, small: Picture, alpha: Float32Array): Uint8Array {
  const { width, height, rgb } = picture;
  if (small.width === width) return Uint8Array.from(alpha, (a) => Math.round(a * 255));
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

/** The original bytes where the product is opaque, estimated colours along its edge and (coarsely) beyond it. */
export function paintForeground(picture: Picture, alpha: Uint8Array, front: Colours, small: Picture): Uint8Array {
  const { width, rgb } = picture;
  const out = new Uint8Array(rgb.length);
  const sampler = makeSampler(small, picture);
  for (let i = 0; i < alpha.length; i += 1) {
    const cover = alpha[i]!;
    if (cover >= OPAQUE) {
      for (let c = i * 3; c < i * 3 + 3; c += 1) out[c] = rgb[c]!;
      continue;
    }
    const x = i % width;
    sampler.moveTo(x, (i - x) / width);
    if (cover === 0) {
      const nearest = sampler.corners[0]! * 3;
      for (let c = 0; c < 3; c += 1) out[i * 3 + c] = front[nearest + c]!;
      continue;
    }
    for (let c = 0; c < 3; c += 1) out[i * 3 + c] = Math.round(sample(sampler, front, 3, c));
  }
  return out;
}
