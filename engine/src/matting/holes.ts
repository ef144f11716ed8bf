// A handle frames background; a saucer's shade or a dark seat between arms is product, though its colours misled the cut.
import type { LabPlanes } from '../pixels/lab.ts';
import { clusterColours, distanceToClusters, quantile } from './background.ts';
import { countOnes, distanceInside, fillHoles, findRegions, invert } from './regions.ts';
import { distanceInAnyLight } from './shade.ts';

/** Of the mask: smaller holes are print, larger ones stand open between straps whatever is seen through them. */
const LEAST = 0.003;
const MOST = 0.2;
/** Lab units of the hole's middle pixel from the background around: handles have at most 1.8 and 0.3 in any light. */
const UNLIKE = 2;
const UNLIKE_IN_ANY_LIGHT = 0.5;
const AROUND = { from: 6, to: 70 }; // px
const COLOURS = 12;

/** Closes the holes through which something else than the background around the product is seen. */
export function closeStrangeHoles(mask: Uint8Array, lab: LabPlanes, width: number, height: number): Uint8Array {
  const area = countOnes(mask);
  const holes = findRegions(mask, width, height, 0).filter(
    ({ pixels, touchesBorder }) => !touchesBorder && pixels.length > LEAST * area && pixels.length < MOST * area,
  );
  if (holes.length === 0) return mask;
  const away = distanceInside(invert(fillHoles(mask, width, height)), width, height);
  const near = [...away.keys()].filter((i) => away[i]! > AROUND.from && away[i]! < AROUND.to);
  const background = clusterColours(lab, near, COLOURS);
  const out = mask.slice();
  for (const { pixels } of holes) {
    const places = [...pixels];
    const unlike = places.map((i) => distanceToClusters(lab, i, background));
    const inAnyLight = places.map((i) => Math.min(...background.map((colour) => distanceInAnyLight(lab, i, colour))));
    if (quantile(unlike, 0.5) < UNLIKE || quantile(inAnyLight, 0.5) < UNLIKE_IN_ANY_LIGHT) continue;
    for (const i of pixels) out[i] = 1;
  }
  return out;
}
