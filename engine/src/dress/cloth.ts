/** Finds the clothes on a person's upper body, by the network and the picture's edges. */
import type { Pose } from '../people/figure.ts';
import { paintSkin } from '../people/skin.ts';
import { sharpenWorn, type Worn } from '../people/worn.ts';
import {
  close as closeMask,
  countOnes,
  dilate,
  drawRegions,
  erode,
  findContour,
  findRegions,
  keepLargest,
  keepWhere,
  open as openMask,
  quantile,
  threshold,
} from '../pixels/mask.ts';
import { mapBytes, mapFloats, smoothStep, toPlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import type { Side } from './sleeve.ts';
import { median } from './rows.ts';
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';

// In shoulder widths, unless stated otherwise.
const SURE = 0.9; // alpha at the hem: waistbands and hands are partly taken for the top
const HEM = 0.75; // of the network's own output, which is as soft as its pixels are large
const LAST_ROWS = 0.1; // last rows of a portrait that ends above the armpits
const MIN_CORE = 0.55; // share of the chest that clothes must cover: hair, hands and bags hide a part

/** The clothes' alpha 0..1, and their last row. */
export type Cloth = {
  top: Plane;
  /** Last row in the centre, and whether the clothes end there rather than at the photo's border. */
  hem: number;
  isHemVisible: boolean;
};

/** Undefined if the network detects no clothes on the chest or is uncertain. */
export function findCloth(picture: Rgb, pose: Pose, worn: Worn, sides: [Side, Side]): Cloth | undefined {
  const joints = (sides[0].shoulder.y + sides[1].shoulder.y) / 2;
  const upper = dropLegs(worn.upper, pose, sides);
  const found = sharpenWorn(picture, upper, worn);
  const { hem, isHemVisible } = findHem(found, upper, joints, sides);
  const top = cutBelow(found, upper, hem, UNEVEN * pose.shoulderWidth, sides);
  if (hem < joints || measureCore(top, sides, joints) < MIN_CORE) return undefined;
  return measureUnsure(worn, hem) > MAX_UNSURE ? undefined : { top, hem, isHemVisible };
}

const LEGS = 0.35; // shoulder widths below the hips, where an "upper" garment must be a skirt

/** Removes sides of trousers that the network takes for the top: below the hips only a skirt stays. */
function dropLegs(upper: Plane, { joints, shoulderWidth }: Pose, sides: [Side, Side]): Plane {
  const { leftHip, rightHip } = joints;
  if (!leftHip || !rightHip) return upper;
  const { width, height } = upper;
  const from = Math.round((leftHip.y + rightHip.y) / 2 + LEGS * shoulderWidth);
  const [left, right] = [sides[0].hip!.x, sides[1].hip!.x];
  const middle = Math.round((left + right) / 2);
  if (from >= height) return upper;
  const isSkirt = upper.data[from * width + middle]! > 0.5;
  if (isSkirt) return upper;
  return { width, height, data: upper.data.map((value, i) => (i < from * width ? value : 0)) };
}

const MAX_UNSURE = 0.1; // most uncertain share of the clothes

/** The share of the clothes with uncertain alpha, without edges. */
function measureUnsure({ upper, scale }: Worn, hem: number): number {
  const between = keepWhere(threshold(upper, 0.15), (i) => upper.data[i]! < 0.85 && i < hem * upper.width);
  const unsure = erode(between, 1.5 * scale);
  return countOnes(unsure) / Math.max(1, countOnes(threshold(upper, 0.5)));
}

const UNEVEN = 0.12; // shoulder widths by which a hem's corners hang lower than its centre
const SLEEVE = 0.3; // shoulder widths around the forearm: sleeves hang lower than hems

/** Removes what is far below the hem and no sleeve, and what is uncertain at the hem: it belongs to the trousers. */
function cutBelow(top: Plane, detected: Plane, hem: number, uneven: number, sides: [Side, Side]): Plane {
  const { width } = top;
  const reach = SLEEVE * (sides[1].shoulder.x - sides[0].shoulder.x);
  const isSleeve = (x: number) =>
    sides.some(({ elbow, wrist }) =>
      [elbow, wrist].some((joint) => joint && joint.y > hem && Math.abs(joint.x - x) < reach),
    );
  const data = mapFloats(top.data, (value, i) => {
    if (i < (hem + 1) * width || isSleeve(i % width)) return value;
    return i < (hem + uneven) * width ? Math.min(value, smoothStep(0.5, SURE, detected.data[i]!)) : 0;
  });
  return { ...top, data };
}

export const clampRow = (y: number, height: number) => Math.min(height - 1, Math.max(0, Math.round(y)));

/** The median of the last rows between the shoulders, because hands and hair hide parts of the hem. */
function findHem(found: Plane, detected: Plane, from: number, [one, other]: [Side, Side]) {
  const { height } = found;
  const sure = keepWhere(threshold(found, SURE), (i) => detected.data[i]! > HEM);
  const cloth = openMask(sure, 1);
  const inset = 0.2 * (other.shoulder.x - one.shoulder.x);
  const last = findContour(cloth, { top: clampRow(from, height), bottom: height - 1 }, true);
  const hem = median(last.subarray(Math.round(one.shoulder.x + inset), Math.round(other.shoulder.x - inset))) ?? -1;
  return hem >= height - 1 - 0.01 * height ? { hem: height, isHemVisible: false } : { hem, isHemVisible: true };
}

/** 0..1: the share of the chest covered by clothes, from below the neck to slightly below the armpits. */
function measureCore({ data, width, height }: Plane, [one, other]: [Side, Side], from: number): number {
  const span = other.shoulder.x - one.shoulder.x;
  let [sum, count] = [0, 0];
  const first = clampRow(Math.min(from + 0.25 * span, height - LAST_ROWS * span), height);
  for (let y = first; y < Math.min(height, from + 0.75 * span); y += 1) {
    for (let x = Math.round(one.shoulder.x + 0.15 * span); x < other.shoulder.x - 0.15 * span; x += 1) {
      sum += data[y * width + x] ?? 0;
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}

const LIKE = 16; // Lab units from the median colour of skin or hair
const LIGHT = { skin: 1 / 4, hair: 1 / 2 }; // weight of lightness in that distance

/** Returns a test for the face's skin colour; without a face every pixel passes. */
export function makeSkinTest(picture: Rgb, { face }: Pick<Pose, 'face'>): (i: number) => boolean {
  return face ? makeColourTest(picture, paintSkin(face.points, picture), LIGHT.skin) : () => true;
}

function makeColourTest(picture: Rgb, { data }: Mask, ofLight: number): (i: number) => boolean {
  if (!data.includes(1)) return () => false;
  const { l, a, b } = toLabPlanes(picture);
  const [light, red, yellow] = [l, a, b].map((plane) => quantile(plane, data, 0.5)) as [number, number, number];
  return (i) => Math.hypot((l[i]! - light) * ofLight, a[i]! - red, b[i]! - yellow) < LIKE;
}

const HAIR = 0.5; // of the head above the face: least share of hair, else bald
const COLLAR = 0.015; // shoulder widths: half of the thinnest collar
const NOTCH = 0.03; // shoulder widths: clothes have smooth outlines; gaps between piping and its background are filled
const TRIM = 0.02; // shoulder widths: piping, collars and cuffs of another colour, which the network misses

/** Extends the clothes slightly over background and over parts that are neither skin nor hair; smooths the outline. */
export function addTrim(top: Plane, { picture, pose, known, isSkin, hem }: TrimInput): Plane {
  const { face, shoulderWidth } = pose;
  const { width } = top;
  const reach = TRIM * shoulderWidth;
  const cloth = threshold(top, 0.5);
  const chin = face ? (face.box.top + face.box.height) * width : 0;
  const head = keepWhere(known, (i) => i < (face?.box.top ?? 0) * width);
  const hair = keepWhere(head, (i) => !isSkin(i));
  const isBald = countOnes(hair) < HAIR * countOnes(head);
  const isHair = isBald ? () => false : makeColourTest(picture, hair, LIGHT.hair);
  const bare = keepWhere(erode(known, reach / 2), (i) => !cloth.data[i] && (isSkin(i) || isHair(i)));
  const own = openMask(bare, reach / 2).data;
  const near = dilate(cloth, reach).data;
  const shoulders = ((pose.joints.leftShoulder.y + pose.joints.rightShoulder.y) / 2) * width;
  const other = keepWhere(known, (i) => !isSkin(i) && !isHair(i));
  const isAbove = (i: number) => i < shoulders;
  const thick = openMask(keepWhere(other, isAbove), COLLAR * shoulderWidth).data;
  const below = keepWhere(other, (i) => !isAbove(i) && !cloth.data[i]);
  const inMiddle = findMiddle(below, pose);
  const data = mapBytes(near, (on, i) =>
    Number(i > chin && i < hem * width && !own[i] && (on || thick[i] || inMiddle.data[i])),
  );
  const whole = closeMask(keepLargest({ ...known, data }), NOTCH * shoulderWidth);
  const even = softBlur(toPlane(keepWhere(whole, (i) => !own[i])), reach / 2).data;
  return { ...top, data: mapFloats(top.data, (value, i) => Math.max(value, smoothStep(0.4, 0.6, even[i]!))) };
}

const MIDDLE = 0.2; // shoulder widths on either side: ties, shirts under jackets, pendants
const HELD = 0.3; // shoulder widths from a wrist: held objects

/** The parts along the centre of the chest that are not held in a hand. */
function findMiddle(parts: Mask, { joints, shoulderWidth }: Pose): Mask {
  const { leftShoulder, rightShoulder, leftWrist, rightWrist } = joints;
  const middle = (leftShoulder.x + rightShoulder.x) / 2;
  const isIn = (i: number) => {
    const [x, y] = [i % parts.width, Math.floor(i / parts.width)];
    const isHeld = [leftWrist, rightWrist].some(
      (wrist) => wrist !== undefined && Math.hypot(wrist.x - x, wrist.y - y) < HELD * shoulderWidth,
    );
    return !isHeld && Math.abs(x - middle) < MIDDLE * shoulderWidth;
  };
  const inside = findRegions(parts).filter((pixels) => pixels.every(isIn));
  return drawRegions(parts, inside);
}

type TrimInput = { picture: Rgb; pose: Pose; known: Mask; isSkin: (i: number) => boolean; hem: number };
