import { bulge } from '../pixels/hull.ts';
import { findContour, threshold } from '../pixels/mask.ts';
import type { Plane } from '../pixels/plane.ts';

const BASE = 0.08; // of the height: the outline's hull stands on what reaches this near to its lowest point

/**
 * True if a shape could not stand: its centre of mass is not above its base. Such a product was lying, and was
 * photographed from above.
 * @param alpha 0..1
 */
export function tipsOver(alpha: Plane): boolean {
  const mask = threshold(alpha, 0.5);
  const columns = { count: 0, sum: 0 };
  let top = mask.height;
  for (const [i, isInside] of mask.data.entries()) {
    if (!isInside) continue;
    top = Math.min(top, Math.floor(i / mask.width));
    columns.count += 1;
    columns.sum += i % mask.width;
  }
  const outline = findContour(mask, { top: 0, bottom: mask.height - 1 }, true);
  bulge(outline, 1);
  const bottom = Math.max(...outline);
  const base = [...outline.keys()].filter((x) => outline[x]! >= bottom - BASE * (bottom - top));
  const centre = columns.sum / columns.count;
  return centre < base[0]! || centre > base.at(-1)!;
}
