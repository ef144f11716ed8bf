import { keepLargest, threshold } from '../pixels/mask.ts';
import type { Plane } from '../pixels/plane.ts';

/** x and y as shares of the picture's width and height. */
export type SharePoint = [number, number];

const MAX_POINTS = 200;
// Steps to the eight neighbours of a pixel, clockwise from the left.
const ACROSS = [-1, -1, 0, 1, 1, 1, 0, -1];
const DOWN = [0, -1, -1, -1, 0, 1, 1, 1];

/**
 * Traces the outer boundary of the largest part with alpha of at least .5, clockwise, at most MAX_POINTS points; empty
 * if there is none. Moore-neighbour tracing with Jacob's stopping criterion.
 */
export function traceBoundary(alpha: Plane): SharePoint[] {
  const { width, height, data: part } = keepLargest(threshold(alpha, 0.5));
  const start = part.indexOf(1);
  if (start < 0) return [];
  const isPart = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && part[y * width + x] === 1;
  const points: SharePoint[] = [];
  let [x, y, from] = [start % width, Math.floor(start / width), 0];
  const first = [x, y];
  do {
    points.push([(x + 0.5) / width, (y + 0.5) / height]);
    const turns = ACROSS.map((_, n) => (from + 1 + n) % ACROSS.length);
    const next = turns.find((n) => isPart(x + ACROSS[n]!, y + DOWN[n]!));
    if (next === undefined) break; // a single pixel
    [x, y] = [x + ACROSS[next]!, y + DOWN[next]!];
    from = (next + 4) % ACROSS.length;
  } while ((x !== first[0] || y !== first[1]) && points.length < part.length);
  const count = Math.min(MAX_POINTS, points.length);
  return Array.from({ length: count }, (_, n) => points[Math.floor((n * points.length) / count)]!);
}
