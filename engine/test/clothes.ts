/** A drawn flat T-shirt, and a drawn person in another one: both geometries are known to the pixel. */
import { readGarment, type Garment } from '../src/dress/garment.ts';
import { readWearer, type Wearer } from '../src/dress/wearer.ts';
import type { Pose } from '../src/people/figure.ts';
import type { Worn } from '../src/people/worn.ts';
import { toPlane, type Plane, type Point, type Rgb } from '../src/pixels/plane.ts';
import { fillPolygon } from '../src/pixels/mask.ts';
import { drawMask, drawRgb, type Colour } from './draw.ts';
import { makeFace } from './face.ts';

export const TABLE: Colour = [207, 202, 194];
export const CLOTH: Colour = [122, 52, 66];
export const LINING: Colour = [58, 23, 32];

/** The size of the flat shirt's picture. */
export const FLAT = { width: 161, height: 200 };
/** Its axis, its armpits' row and distance from the axis, its hem. */
export const SHIRT = { middle: 80, pitRow: 70, half: 36, hem: 180 };

/** Mirrors the right half of an outline, given as distances from the axis. */
function mirror(half: readonly (readonly [number, number])[], middle: number): Point[] {
  const right = half.map(([away, y]) => ({ x: middle + away, y }));
  return [...right, ...right.toReversed().map(({ x, y }) => ({ x: 2 * middle - x, y }))];
}

const BODY = [
  [SHIRT.half, SHIRT.pitRow],
  [SHIRT.half, SHIRT.hem],
] as const;
const SHOULDERS = [
  [16, 20],
  [36, 26],
] as const;
const SLEEVE = [
  [70, 62],
  [56, 84],
] as const;

const LONG_SLEEVE = [
  [78, 128],
  [62, 136],
] as const;

export type FlatShirt = {
  picture: Rgb;
  alpha: Plane;
};

/** @param neck rows from the collar's ends down to the neckline's lowest point; the inside of the back is above it */
export function drawFlatShirt({ hasSleeves = true, isLong = false, neck = 24 } = {}): FlatShirt {
  const outline = mirror([...SHOULDERS, ...(isLong ? LONG_SLEEVE : hasSleeves ? SLEEVE : []), ...BODY], SHIRT.middle);
  const shirt = fillPolygon(outline, FLAT).data;
  const isLining = (x: number, y: number) => Math.hypot((x - SHIRT.middle) / 16, (y - 20) / neck) < 1;
  const picture = drawRgb(FLAT, (x, y) => (shirt[y * FLAT.width + x] ? (isLining(x, y) ? LINING : CLOTH) : TABLE));
  return { picture, alpha: toPlane({ ...FLAT, data: shirt }) };
}

export function readShirt(options?: Parameters<typeof drawFlatShirt>[0]): Garment {
  const { picture, alpha } = drawFlatShirt(options);
  const garment = readGarment(picture, alpha);
  if (!garment) throw new Error('the drawn shirt is no garment');
  return garment;
}

export const WALL: Colour = [214, 219, 222];
export const WORN: Colour = [40, 90, 150];
export const SKIN: Colour = [205, 150, 125];
export const TROUSERS: Colour = [60, 60, 66];

/** The size of the person's picture. */
export const ROOM = { width: 181, height: 220 };
const SCALE = ROOM.height / 352; // of a network with an input of 352 pixels
/** The person's axis, the worn shirt's armpits, half chest and hem, and where its sleeves end. */
export const PERSON = { middle: 90, shoulderRow: 60, pitRow: 96, half: 32, hem: 170, sleeveEnd: 104 };

/** The arm on the picture's right, slightly away from the body. */
const ARM = { from: { x: PERSON.middle + 36, y: 64 }, to: { x: PERSON.middle + 62, y: 168 }, half: 8 };

function isOnArm(x: number, y: number): boolean {
  const [dx, dy] = [ARM.to.x - ARM.from.x, ARM.to.y - ARM.from.y];
  const length = Math.hypot(dx, dy);
  const [px, py] = [PERSON.middle + Math.abs(x - PERSON.middle) - ARM.from.x, y - ARM.from.y];
  const along = (px * dx + py * dy) / length;
  return along >= 0 && along <= length && Math.abs((px * dy - py * dx) / length) <= ARM.half;
}

/** Draws a person and returns a perfect network's output. */
export function drawPerson(changes: Partial<typeof PERSON> = {}): { picture: Rgb; pose: Pose; worn: Worn } {
  const { middle, shoulderRow, half, hem, sleeveEnd } = { ...PERSON, ...changes };
  const isNeck = (x: number, y: number) => Math.abs(x - middle) <= 11 && y >= 40 && y < shoulderRow;
  const isHead = (x: number, y: number) => Math.hypot((x - middle) / 18, (y - 30) / 22) < 1;
  const isTorso = (x: number, y: number) => Math.abs(x - middle) <= half && y >= shoulderRow && y <= hem;
  const isCloth = (x: number, y: number) => isTorso(x, y) || (isOnArm(x, y) && y <= sleeveEnd);
  const isSkin = (x: number, y: number) => !isCloth(x, y) && (isNeck(x, y) || isHead(x, y) || isOnArm(x, y));
  const isLower = (x: number, y: number) => Math.abs(x - middle) <= half && y > hem;
  const isAny = (x: number, y: number) => isCloth(x, y) || isSkin(x, y) || isLower(x, y);
  const picture = drawRgb(ROOM, (x, y) => {
    if (isCloth(x, y)) return WORN;
    if (isSkin(x, y)) return SKIN;
    return isLower(x, y) ? TROUSERS : WALL;
  });
  const planes = [isAny, isCloth, isLower].map((isSet) => toPlane(drawMask(ROOM, isSet)));
  const worn = { person: planes[0]!, upper: planes[1]!, lower: planes[2]!, scale: SCALE };
  return { picture, pose: poseOf(), worn };
}

/** A frontal person with arms apart, in a plain T-shirt with short sleeves and in trousers. */
export function makeWearer(changes: Partial<typeof PERSON> = {}): Wearer {
  const { picture, pose, worn } = drawPerson(changes);
  const wearer = readWearer(picture, pose, worn);
  if (!wearer) throw new Error('the drawn person wears nothing');
  return wearer;
}

/** The same person in a photo that ends at this row, without the joints below it. */
export function cutPerson(height: number): Wearer {
  const { picture, pose, worn } = drawPerson();
  const cut = <T extends Plane | Rgb>(plane: T, channels = 1): T => ({
    ...plane,
    height,
    data: plane.data.slice(0, channels * height * plane.width),
  });
  const { leftShoulder, rightShoulder } = pose.joints;
  const wearer = readWearer(
    cut(picture, 3),
    { ...pose, joints: { leftShoulder, rightShoulder } },
    { person: cut(worn.person), upper: cut(worn.upper), lower: cut(worn.lower), scale: SCALE },
  );
  if (!wearer) throw new Error('the cut person wears nothing');
  return wearer;
}

/** A frontal pose. */
function poseOf(): Wearer['pose'] {
  const { middle, shoulderRow } = PERSON;
  const joint = (away: number, y: number) => ({ x: middle + away, y, score: 1 });
  const face = makeFace({ left: middle - 14, top: 12, width: 28, height: 38 });
  const joints = {
    rightShoulder: joint(-34, shoulderRow + 6),
    leftShoulder: joint(34, shoulderRow + 6),
    rightElbow: joint(-49, 116),
    leftElbow: joint(49, 116),
    rightHip: joint(-22, 166),
    leftHip: joint(22, 166),
    rightWrist: joint(-62, 164),
    leftWrist: joint(62, 164),
  };
  return { face, joints, shoulderWidth: 68 };
}
