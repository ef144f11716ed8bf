// Where each pixel of the portrait finds its colour in the user's picture.
import { resizePlane, softBlur } from '../pixels/planes.ts';
import type { Point } from './faces.ts';
import { fillGaps } from './fill-gaps.ts';
import { OVAL } from './landmarks.ts';

/** x' = a x - b y + dx, y' = b x + a y + dy: turn, size and place, never a change of shape. */
export interface Similarity {
  a: number;
  b: number;
  dx: number;
  dy: number;
}

/** Least squares over pairs of points (Umeyama 1991, two dimensions, no mirroring). */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const count = Math.min(from.length, to.length);
  const mean = { fx: 0, fy: 0, tx: 0, ty: 0 };
  for (let n = 0; n < count; n += 1) {
    mean.fx += from[n]!.x / count;
    mean.fy += from[n]!.y / count;
    mean.tx += to[n]!.x / count;
    mean.ty += to[n]!.y / count;
  }
  let along = 0;
  let across = 0;
  let size = 0;
  for (let n = 0; n < count; n += 1) {
    const fx = from[n]!.x - mean.fx;
    const fy = from[n]!.y - mean.fy;
    const tx = to[n]!.x - mean.tx;
    const ty = to[n]!.y - mean.ty;
    along += fx * tx + fy * ty;
    across += fx * ty - fy * tx;
    size += fx * fx + fy * fy;
  }
  const a = along / size;
  const b = across / size;
  return { a, b, dx: mean.tx - a * mean.fx + b * mean.fy, dy: mean.ty - b * mean.fx - a * mean.fy };
}

export function applySimilarity({ a, b, dx, dy }: Similarity, { x, y }: Point): Point {
  return { x: a * x - b * y + dx, y: b * x + a * y + dy };
}

/** For every pixel of a window of the portrait, a place in the user's picture; two planes of the window's size. */
export interface PlaceMap {
  x: Float32Array;
  y: Float32Array;
}

const CELL = 4; // pixels: the field between landmarks is smooth, and a quarter of the rows is a sixteenth of the work
const OWN_SHAPE = 0.85; // of the user's own proportions inside the face, where people are told apart

/**
 * A similarity plus a smooth correction: along the face's outline the user's landmarks land on the portrait's, so that the jaw meets
 * the neck; inside, eyes, nose and mouth keep most of the user's own proportions; far outside, only the similarity is left.
 * @param portrait 468 landmarks in pixels of the window
 * @param user the same landmarks in pixels of the user's picture
 */
export function alignFaces(
  portrait: readonly Point[],
  user: readonly Point[],
  width: number,
  height: number,
): PlaceMap {
  const similarity = fitSimilarity(portrait, user);
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const shift = spreadShifts(portrait, user, similarity, columns, rows);
  const x = resizePlane(shift.x, columns, rows, width, height);
  const y = resizePlane(shift.y, columns, rows, width, height);
  for (let i = 0; i < x.length; i += 1) {
    const place = applySimilarity(similarity, { x: i % width, y: Math.floor(i / width) });
    x[i]! += place.x;
    y[i]! += place.y;
  }
  return { x, y };
}

function spreadShifts(
  portrait: readonly Point[],
  user: readonly Point[],
  similarity: Similarity,
  columns: number,
  rows: number,
): PlaceMap {
  const shift = { x: new Float32Array(columns * rows), y: new Float32Array(columns * rows) };
  const weight = new Float32Array(columns * rows);
  const nearness = measureNearness(portrait);
  for (const [n, place] of portrait.entries()) {
    const column = Math.round(place.x / CELL - 0.5);
    const row = Math.round(place.y / CELL - 0.5);
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const wanted = applySimilarity(similarity, place);
    const share = 1 - OWN_SHAPE * nearness[n]!;
    const at = row * columns + column;
    shift.x[at] = (shift.x[at]! * weight[at]! + (user[n]!.x - wanted.x) * share) / (weight[at]! + 1);
    shift.y[at] = (shift.y[at]! * weight[at]! + (user[n]!.y - wanted.y) * share) / (weight[at]! + 1);
    weight[at]! += 1;
  }
  const known = weight.map((count) => Math.min(1, count));
  for (let i = 0; i < known.length; i += 1) {
    const column = i % columns;
    const row = Math.floor(i / columns);
    if (column === 0 || row === 0 || column === columns - 1 || row === rows - 1) known[i] = 1;
  }
  const spread = (plane: Float32Array) => softBlur(fillGaps(plane, known, columns, rows), columns, rows, 8 / CELL);
  return { x: spread(shift.x), y: spread(shift.y) };
}

/** 1 in the middle of the face, 0 on its outline. */
function measureNearness(points: readonly Point[]): number[] {
  const oval = OVAL.map((landmark) => points[landmark]!);
  const reach = Math.max(...oval.map(({ x }) => x)) - Math.min(...oval.map(({ x }) => x));
  return points.map((point) => {
    const away = Math.min(...oval.map(({ x, y }) => Math.hypot(x - point.x, y - point.y)));
    return Math.min(1, away / (0.22 * reach));
  });
}
