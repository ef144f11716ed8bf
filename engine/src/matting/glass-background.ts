// What is behind glass, from what is seen beside it.
import type { Picture } from '../pixels/decode.ts';
import { boxBlur } from '../pixels/planes.ts';
import type { Colours } from './foreground.ts';

const GAP = 0.006; // of the long side, beside the outline, that its own glow and shadow reach
const LOOKED_AT = 0.014; // of the long side, on each side
const CALM = 2; // px up and down

/**
 * Interleaved RGB 0..255: the picture where `cover` is 0. Elsewhere each row runs from its colour on the left of the glass to that on
 * its right, because horizons, table edges and grain lie level behind most products.
 */
export function fillBehind({ width, height, rgb }: Picture, cover: Float32Array): Colours {
  const behind = new Float32Array(rgb);
  for (let c = 0; c < 3; c += 1) {
    const lines = new Float32Array(width * height);
    for (let y = 0; y < height; y += 1) bridge({ width, height, rgb }, cover, lines, y * width, c);
    const calm = boxBlur(lines, width, height, CALM);
    for (let i = 0; i < calm.length; i += 1) if (cover[i]! > 0) behind[i * 3 + c] = calm[i]!;
  }
  return behind;
}

/** One channel of the row that starts at `at`; a row without glass stays. */
function bridge(
  { width, height, rgb }: Picture,
  cover: Float32Array,
  lines: Float32Array,
  at: number,
  c: number,
): void {
  const long = Math.max(width, height);
  const gap = Math.max(2, Math.round(GAP * long));
  const seen = Math.max(3, Math.round(LOOKED_AT * long));
  const [first, last] = spanOf(cover, at, width);
  const left = meanOf(rgb, at + Math.max(0, first - gap - seen), at + Math.max(1, first - gap), c);
  const right = meanOf(rgb, at + Math.min(width - 1, last + gap), at + Math.min(width, last + gap + seen), c);
  for (let x = 0; x < width; x += 1) {
    const share = Math.min(1, Math.max(0, (x - first + gap) / (last - first + 2 * gap)));
    lines[at + x] = last < first ? rgb[(at + x) * 3 + c]! : left + (right - left) * share;
  }
}

/** First and last covered pixel of the row that starts at `at`. */
function spanOf(cover: Float32Array, at: number, width: number): [first: number, last: number] {
  let first = 0;
  let last = width - 1;
  while (first < width && cover[at + first] === 0) first += 1;
  while (last >= first && cover[at + last] === 0) last -= 1;
  return [first, last];
}

function meanOf(rgb: Uint8Array, from: number, to: number, channel: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += rgb[i * 3 + channel]!;
  return sum / Math.max(1, to - from);
}
