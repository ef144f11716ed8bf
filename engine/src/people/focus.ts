import { squeezeRgb } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { describePlane } from '../pixels/statistics.ts';
import { clampBox, cutRgb, type Rgb } from '../pixels/plane.ts';
import type { Face } from './faces.ts';

const SIDE = 64; // pixels: so faces of every size are compared

/** How crisp a face is: its finest detail (a Laplacian's mean) over its contrast. In focus .2 to .6, behind it .07. */
export async function measureFocus(picture: Rgb, { box }: Face): Promise<number> {
  const size = { width: SIDE, height: SIDE };
  const { l } = toLabPlanes(await squeezeRgb(cutRgb(picture, clampBox(box, picture)), size));
  let [sum, count] = [0, 0];
  for (let i = SIDE + 1; i < l.length - SIDE - 1; i += 1) {
    if (i % SIDE === 0 || i % SIDE === SIDE - 1) continue;
    sum += Math.abs(4 * l[i]! - l[i - 1]! - l[i + 1]! - l[i - SIDE]! - l[i + SIDE]!);
    count += 1;
  }
  return sum / count / Math.max(1, describePlane(l, new Uint8Array(l.length).fill(1)).deviation);
}
