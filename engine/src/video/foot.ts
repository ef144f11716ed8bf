import { open, threshold } from '../pixels/mask.ts';
import type { Plane } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';

/** What a product stands on, in its own pixels. */
export type Foot = {
  width: number;
  middle: number;
  /** The row below the lowest one of the foot. */
  bottom: number;
};

const LOOK_AT = 384;

/** A strap or a tail is no foot: thin parts go first, and a foot has a long unbroken run. */
export function findFoot(alpha: Plane): Foot {
  const { width, height } = alpha;
  const shrink = Math.min(1, LOOK_AT / Math.max(width, height));
  const w = Math.max(8, Math.round(width * shrink));
  const h = Math.max(8, Math.round(height * shrink));
  const solid = threshold(resizePlane(alpha, { width: w, height: h }), 0.5);
  let core = open(solid, Math.max(2, 0.025 * Math.max(w, h))).data;
  if (!core.includes(1)) core = solid.data;
  const runs = Array.from({ length: h }, (_, y) => longestRun(core, y * w, w));
  const longest = Math.max(...runs.map((run) => run.length));
  let last = h - 1;
  while (last > 0 && runs[last]!.length < Math.max(1, 0.28 * longest)) last -= 1;
  const lowest = runs.slice(Math.max(0, last - Math.floor(h * 0.045)), last + 1).filter((run) => run.length > 0);
  const left = Math.min(...lowest.map((run) => run.start));
  const right = Math.max(...lowest.map((run) => run.start + run.length));
  const bottom = Math.min(height, (last + 1) * (height / h));
  const middle = ((left + right) / 2) * (width / w);
  return { width: (right - left) * (width / w), middle, bottom };
}

function longestRun(mask: Uint8Array, from: number, width: number): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let x = 0; x <= width; x += 1) {
    if (x < width && mask[from + x]) continue;
    if (x - start > best.length) best = { start, length: x - start };
    start = x + 1;
  }
  return best;
}
