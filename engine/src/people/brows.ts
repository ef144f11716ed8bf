// Wipes a portrait's own brows away, so that their ends do not look out from under the user's.
import { softBlur } from '../pixels/planes.ts';
import { dilate } from '../matting/regions.ts';
import type { Point } from './faces.ts';
import { fillGaps } from './fill-gaps.ts';
import { LEFT_BROW, OVAL, RIGHT_BROW } from './landmarks.ts';
import type { LogLight } from './relight.ts';
import { fillPolygon } from './shapes.ts';
import { pick } from './skin.ts';
import { cutPlane, findPart } from './windows.ts';

const TAIL = 0.35; // of a brow's length: how far real brows run on beyond the mesh's last landmark
const ROUND = 0.035; // of the face's width, on all sides of a brow

/**
 * Fills the brows with the skin above and below them, column by column; where hair hangs over a brow the column is left alone.
 * @param bare 0..1, where the portrait shows bare face
 * @returns 0..1, how far each pixel was replaced; `light` is changed in place
 */
export function wipeBrows(
  light: LogLight,
  bare: Float32Array,
  points: readonly Point[],
  { width, height, faceWidth }: { width: number; height: number; faceWidth: number },
): Float32Array {
  const zone = new Uint8Array(width * height);
  for (const brow of [LEFT_BROW, RIGHT_BROW]) {
    const whole = fillPolygon(runOn(pick(points, brow)), width, height);
    for (let i = 0; i < zone.length; i += 1) if (whole[i]) zone[i] = 1;
  }
  const inside = fillPolygon(pick(points, OVAL), width, height);
  const wide = dilate(zone, width, height, ROUND * faceWidth).map((value, i) => value & inside[i]!);
  const wiped = keepOpenColumns(wide, bare, width, height, Math.max(2, Math.round(0.012 * faceWidth)));
  const known = wiped.map((value, i) => (value || (bare[i]! < 0.5 && !wide[i]) ? 0 : 1));
  const soft = softBlur(new Float32Array(wiped), width, height, 0.006 * faceWidth);
  const part = findPart(wide, width, height, 0.08 * faceWidth);
  if (!part) return soft;
  const near = cutPlane(new Float32Array(known), width, part);
  for (const plane of light) {
    const filled = fillGaps(cutPlane(plane, width, part), near, part.width, part.height);
    const even = softBlur(filled, part.width, part.height, 2);
    for (let n = 0; n < even.length; n += 1) {
      const i = (part.top + Math.floor(n / part.width)) * width + part.left + (n % part.width);
      plane[i]! += soft[i]! * (even[n]! - plane[i]!);
    }
  }
  return soft;
}

/** The landmarks begin with the brow's outer end: the outline is drawn on from there, away from the nose. */
function runOn(brow: Point[]): Point[] {
  const outer = brow[0]!;
  const inner = brow[4]!;
  const lower = brow.at(-1)!;
  const x = (outer.x - inner.x) * TAIL;
  const y = (outer.y - inner.y) * TAIL * 0.6;
  return [{ x: outer.x + x, y: outer.y + y }, ...brow, { x: lower.x + x, y: lower.y + y }];
}

/** Of each column's run, only what has bare skin at both ends. */
function keepOpenColumns(
  zone: Uint8Array,
  bare: Float32Array,
  width: number,
  height: number,
  beyond: number,
): Uint8Array {
  const out = new Uint8Array(zone.length);
  for (let x = 0; x < width; x += 1) {
    let top = 0;
    while (top < height && !zone[top * width + x]) top += 1;
    let bottom = height - 1;
    while (bottom > top && !zone[bottom * width + x]) bottom -= 1;
    if (top - beyond < 0 || bottom + beyond >= height) continue;
    const isOpen = bare[(top - beyond) * width + x]! > 0.6 && bare[(bottom + beyond) * width + x]! > 0.6;
    if (isOpen) for (let y = top; y <= bottom; y += 1) out[y * width + x] = zone[y * width + x]!;
  }
  return out;
}
