// What a cut-out should have held: things that no light makes the colours of the picture's border.
import type { LabPlanes } from '../pixels/lab.ts';
import { mapFloats } from '../pixels/map.ts';
import type { Backdrop } from './background.ts';
import { dilate } from './regions.ts';
import { distanceInAnyLight } from './shade.ts';

const SEAM = 5; // px: nearer to the mask the pixels mix with the product's
const BESIDE = 16; // px
const UNLIKE_BESIDE = 7; // Lab units
const UNLIKE_ANYWHERE = 9;

/** Lab distance of every pixel from the nearest colour of the border, shadows of it included. */
export function measureUnlikeBorder(lab: LabPlanes, { clusters, ring }: Backdrop): Float32Array {
  return mapFloats(ring, (isRing, i) => {
    if (isRing) return 0;
    let least = Infinity;
    for (const cluster of clusters) least = Math.min(least, distanceInAnyLight(lab, i, cluster));
    return least;
  });
}

/**
 * 0 to 2: of what lies beside the mask, the share that is not background, plus, of all that is not background, the share that
 * lies outside. A label cut out of its bottle has high ones of both, half a fruit too.
 */
export function measureLeftOut(mask: Uint8Array, unlike: Float32Array, width: number, height: number): number {
  const seam = dilate(mask, width, height, SEAM);
  const around = dilate(mask, width, height, BESIDE);
  let [beside, unlikeBeside, anywhere, outside] = [0, 0, 0, 0];
  for (let i = 0; i < mask.length; i += 1) {
    if (unlike[i]! > UNLIKE_ANYWHERE) {
      anywhere += 1;
      if (!seam[i]) outside += 1;
    }
    if (seam[i] || !around[i]) continue;
    beside += 1;
    if (unlike[i]! > UNLIKE_BESIDE) unlikeBeside += 1;
  }
  return unlikeBeside / Math.max(1, beside) + outside / Math.max(1, anywhere);
}
