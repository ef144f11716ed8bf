// Dark products on dark ground: the picture is lifted out of its darkness, then product and background are told apart by the
// colours close by and cut along crisp edges.
import type { Picture } from '../pixels/decode.ts';
import { toLabPlanes, type LabPlanes } from '../pixels/lab.ts';
import { boxBlur } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import { learnBackdrop, quantile } from './background.ts';
import { linkPixels, localScale, priceEdges, shareOfCrisp, type EdgeCut } from './edge-cut.ts';
import { measureGeodesic } from './geodesic.ts';
import { cutGrid } from './max-flow.ts';
import { measureUnlikeNear } from './near-colours.ts';
import { dropNeighbours, keepHeavyRegions } from './pieces.ts';
import { close, dilate, erode, findRegions, open } from './regions.ts';
import { measureSharpness } from './sharpness.ts';

const DARK = 25; // Lab lightness that half of a dark picture stays below
const LIFT = 0.5; // exponent: the square root
const WHITE_SHARE = 0.98;

const REACHABLE = 2; // Lab units of outline between the border and surely background
const ENCLOSED = 4;
const UNLIKE = 3; // Lab units
const TRUNK_RADIUS = 9; // px; pens, cables and edges of things behind are thinner
const WIDE_OPEN = 10; // px
const BAY = 8; // px
const AROUND = 6; // px
const ZONE = 9; // px: the outline is looked for no further away
const HEAVY = 0.2;
const PULL = 0.15; // of the outline's price on no edge at all
const CERTAIN_PULL = 50;
const DECIDED = 8; // Lab units
const PINHOLE = 150; // px
const ROUNDS = 2;

/** Nothing for pictures that are not dark. The mask has the picture's size, which is meant to be 512 px on the long side. */
export function cutFromDark(picture: Picture, lab: LabPlanes): EdgeCut | undefined {
  if (quantile([...lab.l], 0.5) > DARK) return undefined;
  const { width, height } = picture;
  const lifted = toLabPlanes(lift(picture));
  const { ring } = learnBackdrop(lifted, width, height);
  const { distance } = measureGeodesic(lifted, ring, width, height);
  const sharpness = measureSharpness(lifted, ring, width, height);
  const scale = localScale(sharpness, width, height);
  const calm = {
    l: boxBlur(lifted.l, width, height, 1),
    a: boxBlur(lifted.a, width, height, 2),
    b: boxBlur(lifted.b, width, height, 2),
  };
  const even = new Float32Array(ring.length).fill(1);
  const isEnclosed = mapBytes(distance, (d) => (d > ENCLOSED ? 1 : 0));
  const enclosed = keepHeavyRegions(open(isEnclosed, width, height, WIDE_OPEN), even, width, height, HEAVY);
  const isReachable = mapBytes(distance, (d) => (d < REACHABLE ? 1 : 0));
  const reachable = erode(isReachable, width, height, 2);
  const unlike = measureUnlikeNear(
    calm,
    reachable.map((value, i) => (value && !enclosed[i] ? 1 : 0)),
    isReachable.map((value) => 1 - value),
    width,
    height,
  );
  const strange = unlike.map((value, i) => Number(value > UNLIKE && !ring[i]));
  const solid = fillSmallHoles(close(new Uint8Array(strange), width, height, 1.5), width, height);
  let mask = keepHeavyRegions(open(solid, width, height, TRUNK_RADIUS), even, width, height, HEAVY);
  const price = priceEdges(sharpness.edges, scale);
  for (let round = 0; round < ROUNDS; round += 1) {
    const pull = pullByColours({ lab: calm, mask, reachable, ring, bay: round === 0 ? BAY : 0 }, width, height);
    const cut = cutGrid({ width, height, links: linkPixels(price, width), pull });
    mask = dropNeighbours(fillSmallHoles(open(cut, width, height, 2), width, height), width, height);
  }
  return { mask, crisp: shareOfCrisp(mask, sharpness.edges, scale, width, height) };
}

/** Stretches the tones that nearly all pixels lie in, and opens the shadows. */
function lift(picture: Picture): Picture {
  const sorted = new Uint8Array(picture.rgb).sort();
  const white = Math.max(1, sorted[Math.floor(WHITE_SHARE * sorted.length)]!);
  const curve = Uint8Array.from({ length: 256 }, (_, byte) => Math.round(255 * Math.min(1, byte / white) ** LIFT));
  return { ...picture, rgb: picture.rgb.map((byte) => curve[byte]!) };
}

interface Sides {
  lab: LabPlanes;
  mask: Uint8Array;
  reachable: Uint8Array;
  ring: Uint8Array;
  /** Bays of the mask, in pixels, that may turn out to be product. */
  bay: number;
}

/** Towards the side whose colours round about a pixel resembles more; beyond the zone only background. */
function pullByColours({ lab, mask, reachable, ring, bay }: Sides, width: number, height: number): Float32Array {
  const around = dilate(bay > 0 ? close(mask, width, height, bay) : mask, width, height, AROUND);
  const outside = mask.map((value, i) => ((reachable[i] && !value) || !around[i] ? 1 : 0));
  const zone = dilate(close(mask, width, height, BAY), width, height, ZONE);
  const unlikeOutside = measureUnlikeNear(lab, outside, zone, width, height);
  const core = erode(mask, width, height, 2);
  const inside = core.map((value, i) => (value && unlikeOutside[i]! > UNLIKE ? 1 : 0));
  const unlikeInside = measureUnlikeNear(lab, inside, zone, width, height);
  return unlikeOutside.map((value, i) => {
    if (ring[i] || !zone[i]) return -CERTAIN_PULL;
    return PULL * Math.max(-1, Math.min(1, (value - unlikeInside[i]!) / DECIDED));
  });
}

function fillSmallHoles(mask: Uint8Array, width: number, height: number): Uint8Array {
  const out = mask.slice();
  for (const { pixels } of findRegions(mask, width, height, 0))
    if (pixels.length < PINHOLE) for (const i of pixels) out[i] = 1;
  return out;
}
