// The product's own colours where it mixes with the old background (after Germer et al. 2020: coarse to fine).
import type { Picture } from '../pixels/decode.ts';

const REGULARISATION = 1e-5;
const SMALL = 32;

/** Interleaved RGB 0..255 as floats. */
export type Colours = Float32Array;

export function estimateForeground(picture: Picture, alpha: Float32Array): Colours {
  const { width, height } = picture;
  const levels = Math.ceil(Math.log2(Math.max(width, height)));
  let size = { width: 1, height: 1 };
  let front: Colours = new Float32Array(3).fill(128);
  let back: Colours = new Float32Array(3).fill(128);
  for (let level = 1; level <= levels; level += 1) {
    const next = {
      width: Math.max(1, Math.round(width ** (level / levels))),
      height: Math.max(1, Math.round(height ** (level / levels))),
    };
    front = resample(front, size, next);
    back = resample(back, size, next);
    size = next;
    const rounds = Math.max(size.width, size.height) <= SMALL ? 10 : 2;
    const shown = samplePicture(picture, alpha, size);
    for (let round = 0; round < rounds; round += 1) sweep(shown, front, back, size);
  }
  return front;
}

interface Size {
  width: number;
  height: number;
}

interface Shown {
  colours: Colours;
  alpha: Float32Array;
}

function resample(colours: Colours, from: Size, to: Size): Colours {
  const out = new Float32Array(to.width * to.height * 3);
  for (let y = 0; y < to.height; y += 1) {
    const sy = Math.min(from.height - 1, Math.floor(((y + 0.5) * from.height) / to.height));
    for (let x = 0; x < to.width; x += 1) {
      const sx = Math.min(from.width - 1, Math.floor(((x + 0.5) * from.width) / to.width));
      const source = (sy * from.width + sx) * 3;
      out.set(colours.subarray(source, source + 3), (y * to.width + x) * 3);
    }
  }
  return out;
}

function samplePicture({ rgb, width, height }: Picture, alpha: Float32Array, to: Size): Shown {
  const colours = new Float32Array(to.width * to.height * 3);
  const cover = new Float32Array(to.width * to.height);
  for (let y = 0; y < to.height; y += 1) {
    const sy = Math.min(height - 1, Math.floor(((y + 0.5) * height) / to.height));
    for (let x = 0; x < to.width; x += 1) {
      const source = sy * width + Math.min(width - 1, Math.floor(((x + 0.5) * width) / to.width));
      const i = y * to.width + x;
      cover[i] = alpha[source]!;
      for (let c = 0; c < 3; c += 1) colours[i * 3 + c] = rgb[source * 3 + c]!;
    }
  }
  return { colours, alpha: cover };
}

/** One Gauss-Seidel sweep: each pixel explains its colour by its neighbours' front and back, weighed by the alpha step. */
function sweep({ colours, alpha }: Shown, front: Colours, back: Colours, { width, height }: Size): void {
  const b0 = new Float64Array(3);
  const b1 = new Float64Array(3);
  for (let i = 0; i < alpha.length; i += 1) {
    const x = i % width;
    const y = (i - x) / width;
    const a = alpha[i]!;
    let weights = 0;
    for (let c = 0; c < 3; c += 1) {
      b0[c] = a * colours[i * 3 + c]!;
      b1[c] = (1 - a) * colours[i * 3 + c]!;
    }
    for (let side = 0; side < 4; side += 1) {
      const isOutside = side === 0 ? x === 0 : side === 1 ? x === width - 1 : side === 2 ? y === 0 : y === height - 1;
      if (isOutside) continue;
      const next = side === 0 ? i - 1 : side === 1 ? i + 1 : side === 2 ? i - width : i + width;
      const weight = REGULARISATION + Math.abs(a - alpha[next]!);
      weights += weight;
      for (let c = 0; c < 3; c += 1) {
        b0[c]! += weight * front[next * 3 + c]!;
        b1[c]! += weight * back[next * 3 + c]!;
      }
    }
    const a00 = a * a + weights;
    const a01 = a * (1 - a);
    const a11 = (1 - a) * (1 - a) + weights;
    const det = a00 * a11 - a01 * a01 || 1e-12;
    for (let c = 0; c < 3; c += 1) {
      front[i * 3 + c] = clampByte((a11 * b0[c]! - a01 * b1[c]!) / det);
      back[i * 3 + c] = clampByte((a00 * b1[c]! - a01 * b0[c]!) / det);
    }
  }
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
