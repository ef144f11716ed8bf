/** A T-shirt laid flat and a person in another one, drawn: the geometry of both is known to the pixel. */
import type { BodyPlan } from '../src/dress/fit-parts.ts';
import { readGarment, type Garment } from '../src/dress/garment.ts';
import { makeAxis } from '../src/dress/sleeve.ts';
import type { Wearer } from '../src/dress/wearer.ts';
import { toPlane, type Plane, type Point, type Rgb } from '../src/pixels/plane.ts';
import { fillPolygon } from '../src/pixels/shapes.ts';
import { drawMask, drawRgb, type Colour } from './draw.ts';
import { makeFace } from './face.ts';

export const TABLE: Colour = [207, 202, 194];
export const CLOTH: Colour = [122, 52, 66];
export const LINING: Colour = [58, 23, 32];

/** Of the flat shirt's picture. */
export const FLAT = { width: 161, height: 200 };
/** Its axis, its armpits' row and distance from the axis, its hem. */
export const SHIRT = { middle: 80, pitRow: 70, half: 36, hem: 180 };

/** The right half of an outline, in distances from the axis, mirrored to a whole one. */
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

export type FlatShirt = {
  picture: Rgb;
  cover: Plane;
};

/** @param neck rows from the collar's ends down to the deepest place of the neckline; its back is seen above it */
export function drawFlatShirt({ hasSleeves = true, neck = 24 } = {}): FlatShirt {
  const outline = mirror([...SHOULDERS, ...(hasSleeves ? SLEEVE : []), ...BODY], SHIRT.middle);
  const shirt = fillPolygon(outline, FLAT).data;
  const isLining = (x: number, y: number) => Math.hypot((x - SHIRT.middle) / 16, (y - 20) / neck) < 1;
  const picture = drawRgb(FLAT, (x, y) => (shirt[y * FLAT.width + x] ? (isLining(x, y) ? LINING : CLOTH) : TABLE));
  return { picture, cover: toPlane({ ...FLAT, data: shirt }) };
}

export function readShirt(options?: Parameters<typeof drawFlatShirt>[0]): Garment {
  const { picture, cover } = drawFlatShirt(options);
  const garment = readGarment(picture, cover);
  if (!garment) throw new Error('the drawn shirt is no garment');
  return garment;
}

export const WALL: Colour = [214, 219, 222];
export const WORN: Colour = [40, 90, 150];
export const SKIN: Colour = [205, 150, 125];
export const TROUSERS: Colour = [60, 60, 66];

/** Of the person's picture. */
export const ROOM = { width: 181, height: 220 };
/** The person's axis, the worn shirt's armpits, half chest and hem, and where its sleeves end. */
export const PERSON = { middle: 90, shoulderRow: 60, pitRow: 96, half: 32, hem: 170, sleeveEnd: 104 };

/** The right arm of the picture, hanging a little away from the body. */
const ARM = { from: { x: PERSON.middle + 36, y: 64 }, to: { x: PERSON.middle + 62, y: 168 }, half: 8 };

function isOnArm(x: number, y: number): boolean {
  const [dx, dy] = [ARM.to.x - ARM.from.x, ARM.to.y - ARM.from.y];
  const length = Math.hypot(dx, dy);
  const [px, py] = [PERSON.middle + Math.abs(x - PERSON.middle) - ARM.from.x, y - ARM.from.y];
  const along = (px * dx + py * dy) / length;
  return along >= 0 && along <= length && Math.abs((px * dy - py * dx) / length) <= ARM.half;
}

function isOnTorso(x: number, y: number): boolean {
  return Math.abs(x - PERSON.middle) <= PERSON.half && y >= PERSON.shoulderRow && y <= PERSON.hem;
}

/** Somebody from the front, arms apart, in a plain T-shirt whose sleeves end above the elbow, and in trousers. */
export function makeWearer(changes: Partial<Wearer> = {}): Wearer {
  const { middle, shoulderRow, pitRow, half, hem, sleeveEnd } = PERSON;
  const isNeck = (x: number, y: number) => Math.abs(x - middle) <= 11 && y >= 40 && y < shoulderRow;
  const isHead = (x: number, y: number) => Math.hypot((x - middle) / 18, (y - 30) / 22) < 1;
  const isCloth = (x: number, y: number) => isOnTorso(x, y) || (isOnArm(x, y) && y <= sleeveEnd);
  const isSkin = (x: number, y: number) => !isCloth(x, y) && (isNeck(x, y) || (isOnArm(x, y) && y > sleeveEnd));
  const isLower = (x: number, y: number) => Math.abs(x - middle) <= half && y > hem;
  const top = drawMask(ROOM, isCloth);
  const skin = drawMask(ROOM, isSkin);
  const lower = drawMask(ROOM, isLower);
  const isAny = (x: number, y: number) => isCloth(x, y) || isSkin(x, y) || isLower(x, y) || isHead(x, y);
  const picture = drawRgb(ROOM, (x, y) => {
    if (isCloth(x, y)) return WORN;
    if (isSkin(x, y) || isHead(x, y)) return SKIN;
    return isLower(x, y) ? TROUSERS : WALL;
  });
  const pair = <T>(make: (side: -1 | 1) => T): [T, T] => [make(-1), make(1)];
  const at = (side: number, away: number, y: number): Point => ({ x: middle + side * away, y });
  return {
    picture,
    pose: poseOf(),
    figure: toPlane(drawMask(ROOM, isAny)),
    top: toPlane(top),
    skin,
    lower,
    middle,
    left: new Float32Array(ROOM.height).fill(middle - half),
    right: new Float32Array(ROOM.height).fill(middle + half),
    shoulderLine: new Float32Array(ROOM.width).fill(shoulderRow),
    hem,
    neck: pair((side) => at(side, 12, shoulderRow)),
    armpits: pair((side) => at(side, half, pitRow)),
    hasFreeArms: true,
    shoulders: pair((side) => at(side, 34, shoulderRow)),
    arms: pair((side) =>
      makeAxis([at(side, ARM.from.x - middle, ARM.from.y + 6), at(side, ARM.to.x - middle, ARM.to.y)]),
    ),
    chest: 2 * half,
    ...changes,
  };
}

/** Looking straight at us. */
function poseOf(): Wearer['pose'] {
  const { middle, shoulderRow } = PERSON;
  const joint = (away: number, y: number) => ({ x: middle + away, y, score: 1 });
  const face = makeFace({ left: middle - 14, top: 12, width: 28, height: 38 });
  const joints = {
    rightShoulder: joint(-34, shoulderRow + 6),
    leftShoulder: joint(34, shoulderRow + 6),
    rightWrist: joint(-62, 164),
    leftWrist: joint(62, 164),
  };
  return { face, joints, shoulderWidth: 68 };
}

/** The drawn shirt on the drawn person, chest on chest and armpit on armpit, without a stretch. */
export function makeBodyPlan(wearer: Wearer, garment: Garment): BodyPlan {
  const scale = wearer.chest / garment.chest;
  const pit = garment.sleeves[0]?.pit.y ?? SHIRT.pitRow;
  return {
    scale,
    top: PERSON.shoulderRow,
    hem: PERSON.pitRow + (garment.bottom - pit) * scale,
    left: wearer.left,
    right: wearer.right,
    toGarment: (y) => pit + (y - PERSON.pitRow) / scale,
    shoulders: wearer.shoulderLine,
    flatShoulders: garment.shoulderLine,
    isWornOpen: false,
    armpit: PERSON.pitRow,
  };
}
