import type { Placement } from '@plinth/contract/placement';
import type { Subject } from '@plinth/contract/marks';

export type Outline = NonNullable<Subject['outline']>;
type Point = readonly [x: number, y: number];

/**
 * How a product stands in its picture: the middle of its foot in shares of the frame, how many times as large as in its
 * photo (both taken as shares of their frames, which have one shape), and degrees clockwise.
 */
export type Standing = { x: number; y: number; size: number; rotate: number };

/** RGBA, row by row. */
export type Pixels = { data: ArrayLike<number>; width: number; height: number };

const LEAST_SCALE = 0.25;
const MOST_SCALE = 4;
const MOST_TURN = 45;
/** Of the product's height: what stands this low is its foot. */
const FOOT = 0.06;

export const clampShare = (value: number): number => Math.min(1, Math.max(0, value));
export const clampTurn = (degrees: number): number => Math.min(MOST_TURN, Math.max(-MOST_TURN, degrees));
/** `full` is the size that would have been chosen. */
export const clampSize = (size: number, full: number): number =>
  Math.min(full * MOST_SCALE, Math.max(full * LEAST_SCALE, size));

export function toPlacement({ x, y, size, rotate }: Standing, full: number): Placement {
  const round = (value: number, digits: number) => Number(value.toFixed(digits));
  const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, size / full));
  return { x: round(clampShare(x), 4), y: round(clampShare(y), 4), scale: round(scale, 3), rotate: round(rotate, 1) };
}

/** The outline turned around its middle; `ratio` is the frame's width by its height. */
export function turnOutline(outline: Outline, ratio: number, degrees: number): Point[] {
  const middle = middleOf(outline);
  return outline.map((point) => turnAround(point, middle, ratio, degrees));
}

export function middleOf(outline: readonly Point[]): Point {
  const { left, top, right, bottom } = boundsOf(outline);
  return [(left + right) / 2, (top + bottom) / 2];
}

export function boundsOf(points: readonly Point[]) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

export function footOf(points: readonly Point[]): Point {
  const { top, bottom } = boundsOf(points);
  const { left, right } = boundsOf(points.filter(([, y]) => y >= bottom - FOOT * (bottom - top)));
  return [(left + right) / 2, bottom];
}

/** x and y relative to the foot, then red, green and blue, one after the other. */
type Samples = Float32Array;
const PARTS = 5;

const COLUMNS = 22;
const SIZES = Array.from({ length: 18 }, (_none, at) => 0.24 * 1.12 ** at); // .24 to 1.65
const GRID = 28;
/** A first look asks every so manieth sample; so many of the likeliest places are looked at closely. */
const THINNED = 7;
const CANDIDATES = 16;
const LEAST_LIKENESS = 0.45;

/**
 * Looks for the product of the photo in the picture that was made of it; null where nothing looks like it. `near` is
 * where its foot was put, if it was.
 */
export function findStanding(
  photo: Pixels,
  outline: Outline,
  made: Pixels,
  rotate = 0,
  near: { x?: number | undefined; y?: number | undefined } = {},
): Standing | null {
  const samples = takeSamples(photo, outline, photo.width / photo.height, rotate);
  if (samples.length < 12 * PARTS) return null;
  const few = samples.filter((_value, at) => Math.floor(at / PARTS) % THINNED === 0);
  const looks: Look[] = [];
  for (const size of SIZES)
    for (const x of around(near.x)) for (const y of around(near.y)) looks.push(look(few, made, { x, y, size, rotate }));
  const likely = looks.sort((a, b) => b.likeness - a.likeness).slice(0, CANDIDATES);
  const closer = likely.map(({ standing }) => refine(samples, made, standing));
  const best = closer.reduce((a, b) => (b.likeness > a.likeness ? b : a));
  return best.likeness < LEAST_LIKENESS ? null : best.standing;
}

type Look = { standing: Standing; likeness: number };

const look = (samples: Samples, made: Pixels, standing: Standing): Look => ({
  standing,
  likeness: compare(samples, made, standing),
});

const AROUND = [-1, 0, 1].flatMap((s) => [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [s, x, y] as const)));

function refine(samples: Samples, made: Pixels, first: Standing): Look {
  let best = look(samples, made, first);
  for (const step of [0.018, 0.009, 0.004]) {
    const { x, y, size, rotate } = best.standing;
    for (const [s, right, down] of AROUND) {
      const near = { x: x + right * step, y: y + down * step, size: size * (1 + 2 * s * step), rotate };
      const found = look(samples, made, near);
      if (found.likeness > best.likeness) best = found;
    }
  }
  return best;
}

function around(share: number | undefined): number[] {
  if (share !== undefined) return [-0.02, -0.01, 0, 0.01, 0.02].map((by) => share + by);
  return Array.from({ length: GRID + 1 }, (_none, at) => at / GRID);
}

function takeSamples(photo: Pixels, outline: Outline, ratio: number, rotate: number): Samples {
  const turned = turnOutline(outline, ratio, rotate);
  const [footX, footY] = footOf(turned);
  const middle = middleOf(outline);
  const { left, top, right, bottom } = boundsOf(turned);
  const samples: number[] = [];
  for (let row = 0; row < COLUMNS; row += 1)
    for (let column = 0; column < COLUMNS; column += 1) {
      const x = left + ((column + 0.5) / COLUMNS) * (right - left);
      const y = top + ((row + 0.5) / COLUMNS) * (bottom - top);
      if (!isInside([x, y], turned)) continue;
      const [photoX, photoY] = turnAround([x, y], middle, ratio, -rotate);
      const at = indexOf(photo, photoX, photoY);
      if (at >= 0) samples.push(x - footX, y - footY, photo.data[at]!, photo.data[at + 1]!, photo.data[at + 2]!);
    }
  return Float32Array.from(samples);
}

function turnAround([x, y]: Point, [cx, cy]: Point, ratio: number, degrees: number): Point {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const [right, down] = [(x - cx) * ratio, y - cy];
  return [cx + (right * cos - down * sin) / ratio, cy + right * sin + down * cos];
}

function isInside([x, y]: Point, polygon: readonly Point[]): boolean {
  let isIn = false;
  polygon.forEach(([x1, y1], at) => {
    const [x2, y2] = polygon[(at + 1) % polygon.length]!;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isIn = !isIn;
  });
  return isIn;
}

function indexOf({ width, height }: Pixels, x: number, y: number): number {
  const [column, row] = [Math.floor(x * width), Math.floor(y * height)];
  return column < 0 || row < 0 || column >= width || row >= height ? -1 : (row * width + column) * 4;
}

/**
 * How alike the product is to what lies there, -1 to 1: correlation of the colours, which is the same in another light.
 * What would lie outside the frame speaks against it.
 */
function compare(samples: Samples, made: Pixels, { x, y, size }: Standing): number {
  let [n, sumA, sumB, sumAA, sumBB, sumAB, lost] = [0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < samples.length; at += PARTS) {
    const place = indexOf(made, x + samples[at]! * size, y + samples[at + 1]! * size);
    if (place < 0) {
      lost += 1;
      continue;
    }
    for (let channel = 0; channel < 3; channel += 1) {
      const [a, b] = [samples[at + 2 + channel]!, made.data[place + channel]!];
      n += 1;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const spread = (n * sumAA - sumA ** 2) * (n * sumBB - sumB ** 2);
  if (n === 0 || spread <= 0) return -1;
  return (n * sumAB - sumA * sumB) / Math.sqrt(spread) - (lost * PARTS) / samples.length;
}
