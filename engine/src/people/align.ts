/** Where each pixel of the portrait finds its colour in the user's picture. */
import { softBlur } from '../pixels/blur.ts';
import { makePlane, type Plane, type Point, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { fillGaps } from './fill-gaps.ts';
import { OVAL } from './landmarks.ts';

/** x' = a x - b y + dx, y' = b x + a y + dy: turn, size and place, never a change of shape. */
export type Similarity = {
  a: number;
  b: number;
  dx: number;
  dy: number;
};

/** Least squares over pairs of points (Umeyama 1991, two dimensions, no mirroring). */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const [start, end] = [findMiddle(from), findMiddle(to)];
  let along = 0;
  let across = 0;
  let size = 0;
  for (const [n, { x, y }] of from.entries()) {
    const [fx, fy] = [x - start.x, y - start.y];
    const [tx, ty] = [to[n]!.x - end.x, to[n]!.y - end.y];
    along += fx * tx + fy * ty;
    across += fx * ty - fy * tx;
    size += fx * fx + fy * fy;
  }
  const a = along / size;
  const b = across / size;
  return { a, b, dx: end.x - a * start.x + b * start.y, dy: end.y - b * start.x - a * start.y };
}

function findMiddle(points: readonly Point[]): Point {
  const mean = (axis: 'x' | 'y') => points.reduce((sum, point) => sum + point[axis] / points.length, 0);
  return { x: mean('x'), y: mean('y') };
}

/** The point turned, scaled and moved. */
export function applySimilarity({ a, b, dx, dy }: Similarity, { x, y }: Point): Point {
  return { x: a * x - b * y + dx, y: b * x + a * y + dy };
}

/** For every pixel of a crop of the portrait, a place in the user's picture; two planes of the crop's size. */
export type PlaceMap = {
  x: Float32Array;
  y: Float32Array;
};

const CELL = 4; // pixels: the field between landmarks is smooth, and a quarter of the rows is a sixteenth of the work
const OWN_SHAPE = 0.85; // of the user's own proportions inside the face, where people are told apart

/**
 * A similarity plus a smooth correction: what another turn of the head explains is undone everywhere; along the face's
 * outline the user's landmarks land on the portrait's, so that the jaw meets the neck; inside, eyes, nose and mouth
 * keep most of the user's own proportions; far outside, only the similarity is left.
 * @param portrait 468 landmarks in pixels of the crop
 * @param depths of the portrait's landmarks, see `Face`
 * @param user the same landmarks in pixels of the user's picture
 * @param size of the crop
 */
export function alignFaces(
  portrait: readonly Point[],
  depths: readonly number[],
  user: readonly Point[],
  size: Size,
): PlaceMap {
  const similarity = fitSimilarity(portrait, user);
  const cells = { width: Math.ceil(size.width / CELL), height: Math.ceil(size.height / CELL) };
  const shift = spreadShifts(portrait, measureShifts(portrait, depths, user, similarity), cells);
  const x = resizePlane(shift.x, size).data;
  const y = resizePlane(shift.y, size).data;
  for (let i = 0; i < x.length; i += 1) {
    const place = applySimilarity(similarity, { x: i % size.width, y: Math.floor(i / size.width) });
    x[i]! += place.x;
    y[i]! += place.y;
  }
  return { x, y };
}

/** For each landmark, where the user's picture is read beside the similarity's place. */
function measureShifts(
  portrait: readonly Point[],
  depths: readonly number[],
  user: readonly Point[],
  similarity: Similarity,
): Point[] {
  const nearness = measureNearness(portrait);
  const away = portrait.map((place, n) => {
    const { x, y } = applySimilarity(similarity, place);
    return { x: user[n]!.x - x, y: user[n]!.y - y };
  });
  const turn = fitTurn(away, depths);
  return away.map(({ x, y }, n) => {
    const share = 1 - OWN_SHAPE * nearness[n]!;
    const turned = { x: turn.x * turn.depths[n]!, y: turn.y * turn.depths[n]! };
    return { x: turned.x + (x - turned.x) * share, y: turned.y + (y - turned.y) * share };
  });
}

/**
 * A small turn of the head moves what is near against what is far, in proportion: least squares of the moves over the
 * depths.
 */
function fitTurn(away: readonly Point[], depths: readonly number[]): Point & { depths: number[] } {
  const middle = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const centred = depths.map((depth) => depth - middle);
  const size = centred.reduce((sum, depth) => sum + depth * depth, 0) || 1;
  const along = (axis: 'x' | 'y') => centred.reduce((sum, depth, n) => sum + depth * away[n]![axis], 0) / size;
  return { x: along('x'), y: along('y'), depths: centred };
}

/** The shifts, known at a few cells, spread over all of them. */
function spreadShifts(portrait: readonly Point[], shifts: readonly Point[], cells: Size): { x: Plane; y: Plane } {
  const { width: columns, height: rows } = cells;
  const shift = { x: makePlane(cells), y: makePlane(cells) };
  const weight = new Float32Array(columns * rows);
  for (const [n, place] of portrait.entries()) {
    const column = Math.round(place.x / CELL - 0.5);
    const row = Math.round(place.y / CELL - 0.5);
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const at = row * columns + column;
    shift.x.data[at] = (shift.x.data[at]! * weight[at]! + shifts[n]!.x) / (weight[at]! + 1);
    shift.y.data[at] = (shift.y.data[at]! * weight[at]! + shifts[n]!.y) / (weight[at]! + 1);
    weight[at]! += 1;
  }
  const known = weight.map((count) => Math.min(1, count));
  for (let i = 0; i < known.length; i += 1) {
    const column = i % columns;
    const row = Math.floor(i / columns);
    if (column === 0 || row === 0 || column === columns - 1 || row === rows - 1) known[i] = 1;
  }
  const spread = (plane: Plane) => softBlur(fillGaps(plane, { ...cells, data: known }), 8 / CELL);
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
