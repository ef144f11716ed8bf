/**
 * The found region once more, almost at the picture's own pixels and in parts, each with dots on what is sure: close to
 * its outline the network then sees what it could not see of the whole.
 */
import { mapFloats } from '../pixels/map.ts';
import { distanceInside, findBoxAround, invert, overlap, threshold } from '../pixels/mask.ts';
import { cutPlane, cutRgb, makePlane, type Box, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import type { Found } from './find.ts';
import { lookAtSize } from './looks.ts';
import type { Marks } from './marks.ts';
import type { Network } from './network.ts';

const MARGIN = 0.18; // of the longer side of the box around the product
const MOST_SIDE = 384; // pixels: what is larger is seen in two parts, and the network takes so many of each
const PART = 0.55; // of a side that is seen in two: a tenth is seen twice
const STEP = 32; // the network's sides are multiples of it
const SPACING = 28; // pixels of the network between dots
const DOT_RADIUS = 2.2; // pixels of the network
const SURE = 0.9; // cover from which a dot keeps, and 1 - SURE down to which it drops
const REACH = 1.8; // pixels of the first looks: so far from the outline dots begin, and changes end
const SAME_THING = 0.9; // overlap of what a close-up shows with what was seen there before
const SHARE = 0.7; // of the close-up in what comes out

type Seen = Pick<Found, 'alpha' | 'grain'>;

/** The cover of the whole picture, changed near its outline only. `alpha` has the picture's size. */
export async function lookAtCloseUps(network: Network, picture: Rgb, { alpha, grain }: Seen): Promise<Plane> {
  const mask = threshold(alpha, 0.5);
  const around = findBoxAround(mask, MARGIN);
  if (!around) return alpha;
  const [inside, outside] = [distanceInside(mask).data, distanceInside(invert(mask)).data];
  const sideOf = (i: number) => {
    if (alpha.data[i]! > SURE && inside[i]! > REACH * grain) return 'keep';
    return alpha.data[i]! < 1 - SURE && outside[i]! > REACH * grain ? 'drop' : undefined;
  };
  const [seen, weights] = [makePlane(alpha), makePlane(alpha)];
  const mostSide = Math.min(MOST_SIDE, Math.max(...network.card.looks.map(({ side }) => side)));
  const fit = (pixels: number) => Math.min(mostSide, Math.max(STEP, Math.round(pixels / STEP) * STEP));
  for (const box of divide(around)) {
    const size = { width: fit(box.width), height: fit(box.height) };
    const marks = setDots(box, size.width, (x, y) => sideOf(y * picture.width + x));
    const closer = resizePlane(await lookAtSize(network, cutRgb(picture, box), size, marks), box);
    const isSame = overlap(threshold(closer, 0.5), threshold(cutPlane(alpha, box), 0.5)) >= SAME_THING;
    if (isSame) add(seen, weights, closer, box);
  }
  const isChanged = (i: number) => weights.data[i]! > 0 && Math.max(inside[i]!, outside[i]!) <= REACH * grain;
  const data = mapFloats(alpha.data, (cover, i) =>
    isChanged(i) ? (1 - SHARE) * cover + (SHARE * seen.data[i]!) / weights.data[i]! : cover,
  );
  return { ...alpha, data };
}

/** One, two or four parts, which overlap. */
function divide({ left, top, width, height }: Box): Box[] {
  const columns = halve(width);
  const rows = halve(height);
  return rows.flatMap(([y, tall]) =>
    columns.map(([x, wide]) => ({ left: left + x, top: top + y, width: wide, height: tall })),
  );
}

/** Where each part begins, and its length. */
function halve(length: number): [number, number][] {
  if (length <= MOST_SIDE) return [[0, length]];
  const part = Math.round(PART * length);
  return [
    [0, part],
    [length - part, part],
  ];
}

/** Dots on a lattice over `box`, one for every SPACING of the `across` pixels to which it is squeezed. */
function setDots(box: Box, across: number, sideOf: (x: number, y: number) => 'keep' | 'drop' | undefined): Marks {
  const spacing = (SPACING * box.width) / across;
  const radius = (DOT_RADIUS * box.width) / across / Math.max(box.width, box.height);
  const dots: Record<'keep' | 'drop', [number, number, number][]> = { keep: [], drop: [] };
  for (let y = spacing / 2; y < box.height; y += spacing) {
    for (let x = spacing / 2; x < box.width; x += spacing) {
      const side = sideOf(box.left + Math.floor(x), box.top + Math.floor(y));
      if (side) dots[side].push([x / box.width, y / box.height, radius]);
    }
  }
  return dots;
}

/** Each part counts most in its middle, so that no seam shows. */
function add(seen: Plane, weights: Plane, closer: Plane, { left, top, width, height }: Box): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const i = (top + y) * seen.width + left + x;
      const weight = Math.min(x + 1, width - x, y + 1, height - y);
      seen.data[i]! += weight * closer.data[y * width + x]!;
      weights.data[i]! += weight;
    }
  }
}
