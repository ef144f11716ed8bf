/** Estimates foreground colours where they mix with the background (Germer et al. 2020: coarse to fine). */
import { clampByte } from '../pixels/colour.ts';
import { findBoxAround, threshold } from '../pixels/mask.ts';
import { cutPlane, cutRgb, makePlane, pastePlane, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { pickPixels } from '../pixels/sample.ts';

const REGULARISATION = 1e-5;
const SMALL = 32;

/** Interleaved RGB 0..255 as floats. */
export type Colours = Float32Array;

/** Foreground and background colours of the picture's size, both extended a little beyond the edge. */
export type Layers = { front: Colours; back: Colours };

/** Separates a picture into foreground and background. `alpha`: 0..1 of the picture's size. */
export function separateLayers(picture: Rgb, alpha: Plane): Layers {
  const size = { width: 3 * picture.width, height: picture.height };
  const [front, back] = [makePlane(size), makePlane(size)];
  const box = findBoxAround(threshold(alpha, 0));
  if (box) {
    const layers = separate(cutRgb(picture, box), cutPlane(alpha, box));
    const [left, part] = [3 * box.left, { width: 3 * box.width, height: box.height }];
    pastePlane(front, { ...part, data: layers.front }, { ...box, left });
    pastePlane(back, { ...part, data: layers.back }, { ...box, left });
  }
  return { front: front.data, back: back.data };
}

function separate(picture: Rgb, alpha: Plane): Layers {
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
    front = resample(front, 3, size, next);
    back = resample(back, 3, size, next);
    size = next;
    const rounds = Math.max(size.width, size.height) <= SMALL ? 10 : 2;
    const shown = {
      colours: resample(picture.data, 3, picture, size),
      alpha: resample(alpha.data, 1, picture, size),
    };
    const open = listMixed(shown.alpha, size);
    copyVisible(shown, front, back);
    for (let round = 0; round < rounds; round += 1) sweep(shown, open, front, back, size);
  }
  return { front, back };
}

type Shown = { colours: Colours; alpha: Float32Array };

/** Nearest-neighbour resampling with `channels` values per pixel. */
function resample(values: Float32Array | Uint8Array, channels: number, from: Size, to: Size): Float32Array {
  const nearest = (length: number, own: number) =>
    Int32Array.from({ length }, (_, i) => Math.min(own - 1, Math.floor(((i + 0.5) * own) / length)));
  return pickPixels(values, channels, from.width, nearest(to.width, from.width), nearest(to.height, from.height));
}

/** Indices of mixed pixels and of those beside a different alpha. All others show one layer only. */
function listMixed(alpha: Float32Array, { width, height }: Size): Int32Array {
  const open: number[] = [];
  for (let i = 0; i < alpha.length; i += 1) {
    const a = alpha[i]!;
    const x = i % width;
    const isAlone =
      (a === 0 || a === 1) &&
      (x === 0 || alpha[i - 1] === a) &&
      (x === width - 1 || alpha[i + 1] === a) &&
      (i < width || alpha[i - width] === a) &&
      (i >= (height - 1) * width || alpha[i + width] === a);
    if (!isAlone) open.push(i);
  }
  return Int32Array.from(open);
}

/** Copies the picture's colours into the visible layer; the hidden one keeps those of the coarser level. */
function copyVisible({ colours, alpha }: Shown, front: Colours, back: Colours): void {
  for (let i = 0; i < alpha.length; i += 1) {
    const shown = alpha[i] === 1 ? front : alpha[i] === 0 ? back : undefined;
    if (!shown) continue;
    for (let c = i * 3; c < i * 3 + 3; c += 1) shown[c] = colours[c]!;
  }
}

/** One Gauss-Seidel sweep: solves each pixel from its neighbours' layers, weighted by the alpha step between them. */
function sweep(
  { colours, alpha }: Shown,
  open: Int32Array,
  front: Colours,
  back: Colours,
  { width, height }: Size,
): void {
  const b0 = new Float64Array(3);
  const b1 = new Float64Array(3);
  for (const i of open) {
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
