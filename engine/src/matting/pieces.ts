// Which pieces of a mask are the product.
import type { LabPlanes } from '../pixels/lab.ts';
import { clusterColours, distanceToClusters } from './background.ts';
import { countOnes, dilate, erode, findRegions, open } from './regions.ts';

/** Products stand near the middle. */
export function centreWeight(i: number, width: number, height: number): number {
  const x = (i % width) / width - 0.5;
  const y = Math.floor(i / width) / height - 0.5;
  return 0.25 + 0.75 * Math.exp(-(x * x + y * y) / (2 * 0.42 * 0.42 * 0.5));
}

/** Drops regions that carry less than this share of the best one's saliency. */
export function keepHeavyRegions(
  mask: Uint8Array,
  map: Float32Array,
  width: number,
  height: number,
  share: number,
): Uint8Array {
  const regions = findRegions(mask, width, height).map((region) => ({
    pixels: region.pixels,
    mass: region.pixels.reduce((sum, i) => sum + map[i]! * centreWeight(i, width, height), 0),
  }));
  const best = Math.max(0, ...regions.map((region) => region.mass));
  const kept = new Uint8Array(mask.length);
  for (const { pixels, mass } of regions) if (mass >= share * best) for (const i of pixels) kept[i] = 1;
  return kept;
}

const CORE_RADIUS = 5;
const NEIGHBOUR_SHARE = 0.3;
const NOTABLE_SHARE = 0.03; // a smaller core is a knot in a strap, not a neighbour
const CRUMB_SHARE = 0.006;

/** Cuts off things that only touch the product, and crumbs; thin parts of the product itself (a strap) stay. */
export function dropNeighbours(mask: Uint8Array, width: number, height: number): Uint8Array {
  const even = new Float32Array(mask.length).fill(1);
  const cores = open(mask, width, height, CORE_RADIUS);
  const kept = keepHeavyRegions(cores, even, width, height, NEIGHBOUR_SHARE);
  const notable = keepHeavyRegions(cores, even, width, height, NOTABLE_SHARE);
  const strangers = dilate(
    notable.map((core, i) => (core && !kept[i] ? 1 : 0)),
    width,
    height,
    CORE_RADIUS,
  );
  const own = dilate(kept, width, height, CORE_RADIUS);
  const rest = mask.map((value, i) => (value && (own[i] || !strangers[i]) ? 1 : 0));
  const thin = rest.map((value, i) => (value && !own[i] ? 1 : 0));
  for (const { pixels } of findRegions(thin, width, height)) {
    if (pixels.some((i) => isNearBorder(i, width, height))) for (const i of pixels) rest[i] = 0;
  }
  return keepHeavyRegions(rest, even, width, height, CRUMB_SHARE);
}

const ARM_RADIUS = 14;
const OWN_COLOUR = 9; // Lab units from a colour of the trunk
const TRUNK_SHARE = 0.75; // of the mask: a product that is all arms has no trunk

/**
 * Thin parts of a colour of their own that the first guess follows from the trunk to the picture's border belong to something
 * behind the product, even when they have been shortened since.
 */
export function dropBorderArms(
  mask: Uint8Array,
  guess: Uint8Array,
  lab: LabPlanes,
  width: number,
  height: number,
): Uint8Array {
  const even = new Float32Array(mask.length).fill(1);
  const cores = keepHeavyRegions(erode(mask, width, height, ARM_RADIUS), even, width, height, 0.12);
  const trunk = dilate(cores, width, height, ARM_RADIUS + 3);
  if (countOnes(trunk) < TRUNK_SHARE * countOnes(mask)) return mask;
  const reaching = mask.map((value, i) => ((value || guess[i]) && !trunk[i] ? 1 : 0));
  for (const { pixels } of findRegions(reaching, width, height)) {
    if (!pixels.some((i) => isNearBorder(i, width, height))) for (const i of pixels) reaching[i] = 0;
  }
  const trunkPixels = [...cores.keys()].filter((i) => cores[i]);
  const colours = clusterColours(lab, trunkPixels, 8);
  const out = mask.slice();
  const arms = mask.map((value, i) => (value && reaching[i] ? 1 : 0));
  for (const { pixels } of findRegions(arms, width, height)) {
    const alike = pixels.filter((i) => distanceToClusters(lab, i, colours) < OWN_COLOUR).length;
    if (alike < 0.5 * pixels.length) for (const i of pixels) out[i] = 0;
  }
  return out;
}

/** The regions that keep away from the picture's border. */
export function keepFreeRegions(mask: Uint8Array, width: number, height: number): Uint8Array {
  const out = mask.slice();
  for (const { pixels } of findRegions(mask, width, height)) {
    if (pixels.some((i) => isNearBorder(i, width, height))) for (const i of pixels) out[i] = 0;
  }
  return out;
}

function isNearBorder(i: number, width: number, height: number): boolean {
  const x = i % width;
  const y = (i - x) / width;
  return Math.min(x, y, width - 1 - x, height - 1 - y) < 0.045 * Math.max(width, height);
}
