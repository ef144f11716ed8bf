/** Polygons drawn as masks. */
import { makeMask, type Mask, type Point, type Size } from './plane.ts';

/** 1 where a pixel's centre lies inside the polygon (even-odd rule), 0 elsewhere. */
export function fillPolygon(points: readonly Point[], size: Size): Mask {
  const mask = makeMask(size);
  const { width, height } = size;
  for (let y = 0; y < height; y += 1) {
    const crossings = crossRow(points, y);
    for (let n = 0; n + 1 < crossings.length; n += 2) {
      const first = Math.max(0, Math.ceil(crossings[n]!));
      const last = Math.min(width - 1, Math.floor(crossings[n + 1]!));
      if (last >= first) mask.data.fill(1, y * width + first, y * width + last + 1);
    }
  }
  return mask;
}

function crossRow(points: readonly Point[], y: number): number[] {
  const crossings: number[] = [];
  for (const [n, from] of points.entries()) {
    const to = points[(n + 1) % points.length]!;
    if (from.y > y === to.y > y) continue;
    crossings.push(from.x + ((y - from.y) * (to.x - from.x)) / (to.y - from.y));
  }
  return crossings.sort((one, other) => one - other);
}

/** The polygon drawn in (share < 1) or blown up (share > 1) about its middle. */
export function scalePolygon(points: readonly Point[], share: number): Point[] {
  const x = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const y = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  return points.map((point) => ({ x: x + (point.x - x) * share, y: y + (point.y - y) * share }));
}

/** The convex hull of all marked pixels, filled: its upper and its lower edge are chains of their own (monotone chain, Andrew 1979). */
export function fillHull(mask: Mask): Mask {
  const { data, width, height } = mask;
  const tops: Point[] = [];
  const bottoms: Point[] = [];
  for (let x = 0; x < width; x += 1) {
    let top = 0;
    let bottom = height - 1;
    while (top < height && !data[top * width + x]) top += 1;
    if (top === height) continue;
    while (!data[bottom * width + x]) bottom -= 1;
    tops.push({ x, y: top });
    bottoms.push({ x, y: bottom });
  }
  const upper = bend(tops, 1);
  const lower = bend(bottoms, -1);
  const out = makeMask(mask);
  for (let x = tops[0]?.x ?? 0; x <= (tops.at(-1)?.x ?? -1); x += 1) {
    for (let y = Math.ceil(heightAt(upper, x)); y <= heightAt(lower, x); y += 1) out.data[y * width + x] = 1;
  }
  return out;
}

/** Leaves out the corners that lie inside; `side` is 1 for an edge that bends downwards at its ends, -1 for the other. */
function bend(corners: Point[], side: 1 | -1): Point[] {
  const kept: Point[] = [];
  for (const corner of corners) {
    while (kept.length > 1 && side * turn(kept.at(-2)!, kept.at(-1)!, corner) <= 0) kept.pop();
    kept.push(corner);
  }
  return kept;
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function heightAt(edge: Point[], x: number): number {
  for (let n = 1; n < edge.length; n += 1) {
    const [from, to] = [edge[n - 1]!, edge[n]!];
    if (x <= to.x) return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x);
  }
  return edge[0]?.y ?? NaN;
}

/** 0 up to `from`, 1 from `to` on, smooth between; also falls when `from` > `to`. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
