/** Head, hair, neck and shoulders of a portrait, cut out of whatever is behind them. */
import { toShares } from '../cutout/marks.ts';
import { UnclearProduct, type Matting } from '../cutout/matting.ts';
import { countOnes, dilate, fillHoles, flood, threshold } from '../pixels/mask.ts';
import { makeMask, makePlane, mapFloats, toPlane, type Box, type Plane, type Rgb } from '../pixels/plane.ts';
import { softBlur } from '../pixels/blur.ts';
import type { Face } from './faces.ts';
import { dropOldGround } from './old-ground.ts';
import { markFace } from './skin.ts';
import { readWorn, sharpenWorn } from './worn.ts';

const ABOVE = [0.75, 1.4]; // face heights above the landmarks: skull and hair, and more where hair stands high
const ASIDE = 1.9; // face widths to either side of its middle: shoulders
const NEAR = { head: 0.4, body: 0.1 }; // face widths around what the network for people sees: hair is seen less well
const SEEN = 0.35; // of that network's cover
const CUT = 0.2; // face widths along the box's upper edge: there hair is cut off
const LEAST_FACE = 0.9; // of the face that must be in the cut-out
// face widths from what that network sees, and of the head: where more lies farther away it is ground, or a hat that
// lacks a part
const DOUBT = { beyond: 0.1, most: 0.02 };

/** 0..1 per pixel of the picture. @throws UnclearProduct */
export async function findBust(picture: Rgb, face: Face, matting: Matting): Promise<Plane> {
  const found = await findWhole(picture, face, matting);
  const worn = await readWorn(picture);
  const { person, upper } = worn;
  const garment = sharpenWorn(picture, upper, worn);
  const near = markNear(person, found, face);
  // white clothes fade before a bright wall: inside the garment the larger of both counts
  const both = mapFloats(found.data, (value, i) => Math.max(value * near.data[i]!, garment.data[i]!));
  const seen = { person, things: [found, upper] };
  const bust = dropOldGround(picture, keepWith({ ...found, data: both }, face), face, seen);
  const oval = markFace(face, picture);
  const inside = sumWhere(bust, (i) => oval.data[i] === 1);
  if (inside < LEAST_FACE * countOnes(oval)) throw new UnclearProduct('the face is not in the cut-out');
  if (measureDoubt(bust, person, face) > DOUBT.most) throw new UnclearProduct('the networks see different heads');
  return bust;
}

/** Share of the head 0..1 that lies away from what the network for people sees. */
export function measureDoubt(bust: Plane, person: Plane, { box }: Face): number {
  const chin = Math.round(box.top + box.height) * bust.width;
  const near = dilate(threshold(person, SEEN), DOUBT.beyond * box.width).data;
  return sumWhere(bust, (i) => i < chin && !near[i]) / sumWhere(bust, (i) => i < chin);
}

function sumWhere({ data }: Plane, isIn: (i: number) => boolean): number {
  let sum = 0;
  for (let i = 0; i < data.length; i += 1) if (isIn(i)) sum += data[i]!;
  return sum;
}

/** By a box around head and shoulders, a higher one where what is found ends at the upper edge of the first. */
async function findWhole(picture: Rgb, face: Face, matting: Matting): Promise<Plane> {
  let found = makePlane(picture);
  for (const above of ABOVE) {
    const box = boxOfBust(face.box, picture, above);
    found = await matting.find(picture, async () => {}, { box: toShares(box, picture) });
    const from = picture.width * Math.ceil(box.top + 1);
    const edge = found.data.subarray(from, from + picture.width).filter((value) => value > 0.5);
    if (box.top === 0 || edge.length < CUT * face.box.width) break;
  }
  return found;
}

/** Where head and shoulders must be. */
function boxOfBust({ left, top, width, height }: Box, picture: Rgb, above: number): Box {
  const middle = left + width / 2;
  const from = Math.max(0, middle - ASIDE * width);
  const start = Math.max(0, top - above * height);
  return {
    left: from,
    top: start,
    width: Math.min(picture.width, middle + ASIDE * width) - from,
    height: picture.height - start,
  };
}

/** 0..1: near the person. What leans against them, a pillow or a car, may come along with the product. */
function markNear(person: Plane, found: Plane, { box }: Face): Plane {
  const seen = threshold(person, SEEN);
  const [head, body] = [dilate(seen, NEAR.head * box.width), dilate(seen, NEAR.body * box.width)];
  const chin = (box.top + box.height) * person.width;
  const data = makeMask(found);
  for (let i = 0; i < data.data.length; i += 1) data.data[i] = (i < chin ? head : body).data[i]!;
  return softBlur(toPlane(data), 0.03 * box.width);
}

/** The piece that the face is in, its own small holes filled, nothing of what else was found. */
function keepWith(alpha: Plane, { box }: Face): Plane {
  const sure = threshold(alpha, 0.4);
  const centre = Math.round(box.top + box.height / 2) * alpha.width + Math.round(box.left + box.width / 2);
  const piece = makeMask(alpha);
  flood(sure, [centre], (at) => sure.data[at] === 1, piece.data);
  const reach = dilate(piece, 0.06 * box.width).data;
  const face = fillHoles(piece).data;
  const isHead = (i: number) => i < (box.top + box.height) * alpha.width && i > box.top * alpha.width;
  return {
    ...alpha,
    data: mapFloats(alpha.data, (value, i) => (!reach[i] ? 0 : isHead(i) && face[i] && !piece.data[i] ? 1 : value)),
  };
}
