// Where the product is, as a 0/1 mask of a small copy, with the evidence that the refusal looks at.
import type { Picture } from '../pixels/decode.ts';
import { toLabPlanes, type LabPlanes } from '../pixels/lab.ts';
import { clusterColours, distanceToClusters, learnBackdrop, quantile, type Backdrop } from './background.ts';
import { measureGeodesic, type GeodesicMap } from './geodesic.ts';
import { grabCut, SEED } from './grabcut.ts';
import type { Report } from './matter.ts';
import { distanceInside, findRegions, invert, open } from './regions.ts';
import { keepHeavyRegions } from './saliency.ts';

export interface Segmentation {
  width: number;
  height: number;
  lab: LabPlanes;
  mask: Uint8Array;
  /** The outline-only guess that the colours then corrected. */
  guess: Uint8Array;
}

export async function segment(picture: Picture, report: Report): Promise<Segmentation> {
  const { width, height } = picture;
  await report(10, 'Learning the background');
  const lab = toLabPlanes(picture);
  const backdrop = learnBackdrop(lab, width, height);
  await report(20, 'Finding the product');
  const geodesic = measureGeodesic(lab, backdrop.ring, width, height);
  const guess = guessByOutline(geodesic, width, height);
  await report(35, 'Separating colours');
  const mask = grabCut(picture, placeSeeds(lab, backdrop, guess, width, height), 4);
  return { width, height, lab, mask: keepHeavyRegions(mask, geodesic.distance, width, height, 0.12), guess };
}

const CROSSED = 1.5;
const SATURATED = 8;

function guessByOutline(geodesic: GeodesicMap, width: number, height: number): Uint8Array {
  const inside = Uint8Array.from(geodesic.distance, (d) => (d > CROSSED ? 1 : 0));
  const solid = open(inside, width, height, 4);
  const weight = geodesic.distance.map((d) => Math.min(d, SATURATED));
  const kept = keepHeavyRegions(solid, weight, width, height, 0.12);
  for (const region of findRegions(kept, width, height, 0)) {
    if (!region.touchesBorder) for (const i of region.pixels) kept[i] = 1;
  }
  return kept;
}

function placeSeeds(lab: LabPlanes, backdrop: Backdrop, guess: Uint8Array, width: number, height: number): Uint8Array {
  const away = distanceInside(invert(guess), width, height);
  const depth = distanceInside(guess, width, height);
  const near: number[] = [];
  for (let i = 0; i < guess.length; i += 1) if (away[i]! > 4 && away[i]! < 50) near.push(i);
  const clusters = clusterColours(lab, near, 12);
  const foreign = new Float32Array(guess.length);
  const inner: number[] = [];
  for (let i = 0; i < guess.length; i += 1) {
    foreign[i] = distanceToClusters(lab, i, clusters);
    if (depth[i]! > 3) inner.push(foreign[i]!);
  }
  const isDistinct = quantile(inner, 0.5) > 12;
  return guess.map((isGuess, i) => {
    if (backdrop.ring[i] || away[i]! > 14) return SEED.background;
    if (!isGuess) return SEED.probablyBackground;
    if (!isDistinct) return depth[i]! > 6 ? SEED.foreground : SEED.probablyForeground;
    if (foreign[i]! < 5) return SEED.probablyBackground;
    return depth[i]! > 6 && foreign[i]! > 9 ? SEED.foreground : SEED.probablyForeground;
  });
}
