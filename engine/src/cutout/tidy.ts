/** What is no part of the product: crumbs beside it, faint trails; and holes in it. */
import { mapFloats } from '../pixels/map.ts';
import { countOnes, distanceInside, findRegions, invert, threshold } from '../pixels/mask.ts';
import type { Mask, Plane } from '../pixels/plane.ts';
import type { Found } from './find.ts';

const CRUMB = 0.02; // of the largest piece
const NEIGHBOUR = 0.2; // of the largest piece, which stands free: what the picture cuts off beside it is another thing
const FAINT = 0.03; // cover below it is nothing
const TRAIL_REACH = 2; // of the network's pixels: so far from solid parts hair and fur may stand out
const TRAILS = 0.1; // of the product: less beyond is trails of what lies around, more is glass, faint far and wide
const GLASS = 0.3; // of the product: so much of it lets the background through where it is glass
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
  const data = mapFloats(alpha.data, (cover, i) => (cover <= FAINT && away[i]! > 1 ? 0 : cover));
  const hasTrails = countOnes(far) < TRAILS * area;
  for (let i = 0; i < data.length; i += 1) {
    if (filled.data[i] && !solid.data[i]) data[i] = 1;
    else if (hasTrails && far.data[i]) data[i] = 0;
    else if (before.data[i] && !solid.data[i] && away[i]! > 1) data[i] = 0;
  }
  closeTranslucent(data, filled, reach, area);
  return { width, height, data };
}

/** Inside, half-covered spots become covered, unless so much of the product is half covered that it is glass. */
function closeTranslucent(data: Float32Array, solid: Mask, reach: number, area: number): void {
  const depth = distanceInside(solid).data;
  const translucent: number[] = [];
  for (let i = 0; i < data.length; i += 1) if (depth[i]! > reach && data[i]! < 1) translucent.push(i);
  if (translucent.length < GLASS * area) for (const i of translucent) data[i] = 1;
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

/** What has the background's colours but was seen as product. */
function fillHoles(mask: Mask, said: Plane): Mask {
  const data = mask.data.slice();
  for (const { pixels, touchesBorder } of findRegions(mask, 0)) {
    if (touchesBorder) continue;
    let seen = 0;
    for (const i of pixels) seen += said.data[i]!;
    if (seen > SEEN * pixels.length) for (const i of pixels) data[i] = 1;
  }
  return { ...mask, data };
}
