import { bulge } from '../pixels/hull.ts';
import { countOnes, findContour, threshold } from '../pixels/mask.ts';
import type { Plane } from '../pixels/plane.ts';

const BASE = 0.08; // of the height: the outline's hull stands on what reaches this near to its lowest point

/**
 * True if a shape could not stand: its centre of mass is not above its base. Such a product was lying, and was
 * photographed from above.
 * @param alpha 0..1
 */
export function tipsOver(alpha: Plane): boolean {
  const mask = threshold(alpha, 0.5);
  let sum = 0;
  for (let i = 0; i < mask.data.length; i += 1) if (mask.data[i]) sum += i % mask.width;
  const centre = sum / countOnes(mask);
  const top = Math.floor(mask.data.indexOf(1) / mask.width);
  const outline = findContour(mask, { top: 0, bottom: mask.height - 1 }, true);
  bulge(outline, 1);
  const bottom = Math.max(...outline);
  const base = [...outline.keys()].filter((x) => outline[x]! >= bottom - BASE * (bottom - top));
  return centre < base[0]! || centre > base.at(-1)!;
}
