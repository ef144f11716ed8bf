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

/** 0 up to `from`, 1 from `to` on, smooth between; also falls when `from` > `to`. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
