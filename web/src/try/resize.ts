import type { Rgb, Size } from '../../../engine/src/pixels/plane.ts';

/** What a place of a line takes from the places `first` and on of another, as shares that add up to 1. */
type Reach = { first: number; shares: number[] };

/** By the mean of the area that a pixel covers; where the picture grows, from pixel to pixel. */
export function resizeRgb({ width, height, data }: Rgb, to: Size): Rgb {
  const across = sumUp(data, listReaches(width, to.width), { lines: height, step: 3, line: 3 * width });
  const out = sumUp(across, listReaches(height, to.height), { lines: to.width, step: 3 * to.width, line: 3 });
  const turned = { ...to, data: new Uint8Array(3 * to.width * to.height) };
  for (let x = 0, from = 0; x < to.width; x += 1) {
    for (let y = 0; y < to.height; y += 1, from += 3) {
      const i = 3 * (y * to.width + x);
      for (let c = 0; c < 3; c += 1) turned.data[i + c] = Math.round(out[from + c]!);
    }
  }
  return turned;
}

/** The long side at most so many pixels. */
export function shrinkRgb(picture: Rgb, longSide: number): Rgb {
  const scale = longSide / Math.max(picture.width, picture.height);
  if (scale >= 1) return picture;
  const fit = (side: number) => Math.max(1, Math.round(side * scale));
  return resizeRgb(picture, { width: fit(picture.width), height: fit(picture.height) });
}

type Lines = { lines: number; step: number; line: number };

function sumUp(data: ArrayLike<number>, reaches: Reach[], { lines, step, line }: Lines): Float32Array {
  const out = new Float32Array(3 * lines * reaches.length);
  for (let n = 0, at = 0; n < lines; n += 1) {
    for (const { first, shares } of reaches) {
      const from = n * line + first * step;
      for (let c = 0; c < 3; c += 1, at += 1) out[at] = addUp(data, shares, from + c, step);
    }
  }
  return out;
}

function addUp(data: ArrayLike<number>, shares: number[], from: number, step: number): number {
  let sum = 0;
  for (let i = 0; i < shares.length; i += 1) sum += shares[i]! * data[from + i * step]!;
  return sum;
}

function listReaches(from: number, to: number): Reach[] {
  const scale = from / to;
  return Array.from({ length: to }, (_, place) => {
    if (scale <= 1) return reachBetween((place + 0.5) * scale - 0.5, from);
    const [start, end] = [place * scale, Math.min(from, (place + 1) * scale)];
    const first = Math.floor(start);
    const shares = Array.from({ length: Math.ceil(end) - first }, (_share, n) => {
      return (Math.min(end, first + n + 1) - Math.max(start, first + n)) / (end - start);
    });
    return { first, shares };
  });
}

function reachBetween(place: number, length: number): Reach {
  const exact = Math.min(length - 1, Math.max(0, place));
  const first = Math.min(Math.max(0, length - 2), Math.floor(exact));
  return length === 1 ? { first: 0, shares: [1] } : { first, shares: [first + 1 - exact, exact - first] };
}
