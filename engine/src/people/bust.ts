/** Cuts head, hair, neck and shoulders out of a portrait. */
import { toShares } from '../cutout/marks.ts';
import { UnclearProduct, type Matting } from '../cutout/matting.ts';
import { countOnes, dilate, fillHoles, flood, threshold } from '../pixels/mask.ts';
import { makeMask, makePlane, mapFloats, toPlane, type Box, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { softBlur } from '../pixels/blur.ts';
import type { Face } from './faces.ts';
import { dropOldBackground } from './old-background.ts';
import { markFace } from './skin.ts';
import { readWorn, sharpenWorn } from './worn.ts';

const ABOVE = [0.75, 1.4]; // face heights above the landmarks: skull and hair; the second for high hair
const ASIDE = 1.9; // face widths on either side of its centre: shoulders
const NEAR = { head: 0.4, body: 0.1 }; // face widths around the people network's mask, which misses hair
const MIN_PERSON_ALPHA = 0.35; // least alpha of that network
const CUT = 0.2; // face widths along the box's upper edge at which hair counts as cut off
const MIN_FACE = 0.9; // least share of the face inside the cut-out
// face widths from that network's mask, and the most of the head that may be farther away: more is background, or an
// incomplete hat
const DISAGREEMENT = { beyond: 0.1, max: 0.02 };

/** Returns alpha 0..1 of the picture's size. @throws UnclearProduct */
export async function findBust(picture: Rgb, face: Face, matting: Matting): Promise<Plane> {
  const found = await findWhole(picture, face, matting);
  const worn = await readWorn(picture);
  const { person, upper } = worn;
  const garment = sharpenWorn(picture, upper, worn);
  const near = markNear(person, found, face);
  // white clothes fade against a bright wall: inside the garment the larger alpha counts
  const both = mapFloats(found.data, (value, i) => Math.max(value * near.data[i]!, garment.data[i]!));
  const masks = { person, things: [found, upper] };
  const whole = fillHead(keepNear({ ...found, data: both }, face), face);
  const bust = keepNear(dropOldBackground(picture, whole, face, masks), face);
  const oval = markFace(face, picture);
  const inside = sumWhere(bust, (i) => oval.data[i] === 1);
  if (inside < MIN_FACE * countOnes(oval)) throw new UnclearProduct('the face is not in the cut-out');
  if (measureDisagreement(bust, person, face) > DISAGREEMENT.max)
    throw new UnclearProduct('the networks see different heads');
  return bust;
}

/** The share of the head that is away from the people network's mask, 0..1. */
export function measureDisagreement(bust: Plane, person: Plane, { box }: Face): number {
  const chin = Math.round(box.top + box.height) * bust.width;
  const near = dilate(threshold(person, MIN_PERSON_ALPHA), DISAGREEMENT.beyond * box.width).data;
  return sumWhere(bust, (i) => i < chin && !near[i]) / sumWhere(bust, (i) => i < chin);
}

function sumWhere({ data }: Plane, isIn: (i: number) => boolean): number {
  let sum = 0;
  for (let i = 0; i < data.length; i += 1) if (isIn(i)) sum += data[i]!;
  return sum;
}

/** Detects within a box around head and shoulders; retries with a higher box if hair ends at its upper edge. */
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

/** The box of head and shoulders. */
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

/** 0..1: near the person. Excludes adjacent objects, such as a pillow or a car, that may be detected as well. */
function markNear(person: Plane, found: Plane, { box }: Face): Plane {
  const core = threshold(person, MIN_PERSON_ALPHA);
  const [head, body] = [dilate(core, NEAR.head * box.width), dilate(core, NEAR.body * box.width)];
  const chin = (box.top + box.height) * person.width;
  const data = makeMask(found);
  for (let i = 0; i < data.data.length; i += 1) data.data[i] = (i < chin ? head : body).data[i]!;
  return softBlur(toPlane(data), 0.03 * box.width);
}

/** The connected region that contains the face. */
function findPiece(alpha: Plane, { box }: Face): Mask {
  const sure = threshold(alpha, 0.4);
  const centre = Math.round(box.top + box.height / 2) * alpha.width + Math.round(box.left + box.width / 2);
  const piece = makeMask(alpha);
  flood(sure, [centre], (at) => sure.data[at] === 1, piece.data);
  return piece;
}

/** Removes what is not close to the face's connected region: faint remains of the background. Alpha 0..1. */
export function keepNear(alpha: Plane, face: Face): Plane {
  const near = dilate(findPiece(alpha, face), 0.06 * face.box.width).data;
  return { ...alpha, data: mapFloats(alpha.data, (value, i) => (near[i] ? value : 0)) };
}

/** Fills holes of the head. */
function fillHead(alpha: Plane, face: Face): Plane {
  const piece = findPiece(alpha, face);
  const whole = fillHoles(piece).data;
  const { top, height } = face.box;
  const isHead = (i: number) => i < (top + height) * alpha.width && i > top * alpha.width;
  return {
    ...alpha,
    data: mapFloats(alpha.data, (value, i) => (isHead(i) && whole[i] && !piece.data[i] ? 1 : value)),
  };
}
