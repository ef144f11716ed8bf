/** What is no part of the product: crumbs beside it, faint trails; and holes in it. */
import { boxBlur } from '../pixels/blur.ts';
import { countOnes, distanceInside, findRegions, invert, threshold } from '../pixels/mask.ts';
import type { Mask, Plane } from '../pixels/plane.ts';
import { smoothStep } from '../pixels/shapes.ts';
import type { Found } from './find.ts';

const CRUMB = 0.02; // of the largest piece
const NEIGHBOUR = 0.2; // of the largest piece, which stands free: what the picture cuts off beside it is another thing
const FAINT = 0.03; // cover below it is nothing
const TRAIL_REACH = 2; // of the network's pixels: so far from solid parts hair and fur may stand out
const PINHOLE = 0.004; // of the product
const GLASS = 0.3; // of the product: so much of it lets the background through where it is glass
const NONE = 1e-6; // of a square's pixels, as far as single precision counts them
const SEEN = 0.5; // mean cover that the network sees in a hole which is none

/** Gives the cover without them; `found` is what the network said, of the same size. */
export function tidy(alpha: Plane, { alpha: said, grain }: Pick<Found, 'alpha' | 'grain'>): Plane {
  const { width, height } = alpha;
  const before = threshold(alpha, 0.5);
  const solid = keepPieces(before);
  const filled = fillHoles(solid, said);
  const away = distanceInside(invert(filled)).data;
  const reach = Math.max(3, TRAIL_REACH * grain);
  const far = { width, height, data: new Uint8Array(alpha.data.length) };
  for (let i = 0; i < far.data.length; i += 1) {
    far.data[i] = away[i]! > reach && alpha.data[i]! > FAINT && !before.data[i] ? 1 : 0;
  }
  const area = countOnes(filled);
  const data = alpha.data.map((cover, i) => (cover <= FAINT && away[i]! > 1 ? 0 : cover));
  // Glass is faint far and wide; a trail is little.
  for (const { pixels } of findRegions(far)) if (pixels.length < CRUMB * area) for (const i of pixels) data[i] = 0;
  for (let i = 0; i < data.length; i += 1) {
    if (filled.data[i] && !solid.data[i]) data[i] = 1;
    else if (before.data[i] && !solid.data[i] && away[i]! > 1) data[i] = 0;
  }
  closeTranslucent(data, filled, reach, area);
  return decideTranslucent({ width, height, data }, Math.round(reach), area);
}

/** Inside, half-covered spots become covered, unless so much of the product is half covered that it is glass. */
function closeTranslucent(data: Float32Array, solid: Mask, reach: number, area: number): void {
  const depth = distanceInside(solid).data;
  const translucent: number[] = [];
  for (let i = 0; i < data.length; i += 1) if (depth[i]! > reach && data[i]! < 1) translucent.push(i);
  if (translucent.length < GLASS * area) for (const i of translucent) data[i] = 1;
}

/** No edge is half covered over so wide a ground: all around it is product or is not, by what it looks like more. */
function decideTranslucent(alpha: Plane, reach: number, area: number): Plane {
  const spread = (data: Float32Array) => boxBlur({ ...alpha, data }, reach).data;
  const within = spread(alpha.data.map((cover) => (cover > FAINT && cover < 1 - FAINT ? 1 : 0)));
  const around = spread(within.map((share) => (share > 1 - NONE ? 1 : 0)));
  const isWide = (i: number) => around[i]! > NONE;
  const wide = around.reduce((count, _, i) => (isWide(i) ? count + 1 : count), 0);
  if (wide >= GLASS * area) return alpha;
  return { ...alpha, data: alpha.data.map((cover, i) => (isWide(i) ? smoothStep(0.35, 0.65, cover) : cover)) };
}

/** Without pieces that are small beside the largest. */
function keepPieces(mask: Mask): Mask {
  const pieces = findRegions(mask);
  const [largest] = pieces.toSorted((one, other) => other.pixels.length - one.pixels.length);
  const data = mask.data.slice();
  if (!largest) return { ...mask, data };
  for (const { pixels, touchesBorder } of pieces) {
    const isNeighbour = touchesBorder && !largest.touchesBorder;
    if (pixels.length < (isNeighbour ? NEIGHBOUR : CRUMB) * largest.pixels.length) for (const i of pixels) data[i] = 0;
  }
  return { ...mask, data };
}

/** Gaps of a few pixels that nobody left on purpose, and what has the background's colours but was seen as product. */
function fillHoles(mask: Mask, said: Plane): Mask {
  const most = PINHOLE * countOnes(mask);
  const data = mask.data.slice();
  for (const { pixels, touchesBorder } of findRegions(mask, 0)) {
    if (touchesBorder) continue;
    let seen = 0;
    for (const i of pixels) seen += said.data[i]!;
    if (pixels.length < most || seen > SEEN * pixels.length) for (const i of pixels) data[i] = 1;
  }
  return { ...mask, data };
}
