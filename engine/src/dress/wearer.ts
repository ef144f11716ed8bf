/** What a person wears on the upper body, taken apart: torso, arms, neckline, hem. */
import { solveEdges } from '../cutout/edges.ts';
import type { Pose } from '../people/figure.ts';
import { CHIN, OVAL } from '../people/landmarks.ts';
import { pick } from '../people/skin.ts';
import type { Worn } from '../people/worn.ts';
import { countOnes, erode, keepWhere, open as openMask, threshold } from '../pixels/mask.ts';
import { mapFloats } from '../pixels/map.ts';
import type { Mask, Plane, Point, Rgb } from '../pixels/plane.ts';
import { fillPolygon, smoothStep } from '../pixels/shapes.ts';
import { findContour, findRun, median, smoothRows } from './rows.ts';
import { makeAxis, placeOnAxis, type Axis } from './sleeve.ts';
import { takeTrim, tellSkin } from './trim.ts';

/** All places in pixels of `picture`; index 0 is the side on the picture's left. */
export type Wearer = {
  picture: Rgb;
  pose: Pose;
  /** 0..1, the clothes on the upper body. */
  top: Plane;
  /** 1 on what else is the person's: face, hair, arms, hands, legs. */
  bare: Mask;
  /** Whether a pixel has the colours of the person's own skin rather than of hair; light does not count for much. */
  isSkin: (i: number) => boolean;
  /** 1 on trousers or skirt. */
  lower: Mask;
  middle: number;
  /** The torso without arms, per row. */
  left: Float32Array;
  right: Float32Array;
  /** First row of the top per column. */
  contour: Float32Array;
  /** Last row of the top in its middle, and whether it ends there rather than with the photo. */
  hem: number;
  isHemSeen: boolean;
  /** Where the shoulders begin at the neck, and where they end. */
  neck: [Point, Point];
  shoulders: [Point, Point];
  armpits: [Point, Point];
  /** From the armhole's middle to the elbow and the wrist, as far as they can be seen. */
  arms: [Axis, Axis];
  /** Pixels along each arm at which the sleeve worn now ends; infinite where it goes on beyond the photo. */
  sleeveEnds: [number, number];
  chest: number;
};

// Shares of the distance between the shoulder joints, as they lie on grown people seen from the front.
const ARMPIT = 0.4; // below the joints
const ARM_ASIDE = 0.22; // the torso's edge is at most so far from the line armpit to hip, or it is an arm's
const HIP_ASIDE = 0.14; // from a hip joint out to the side
const NECK = 0.22; // from the middle to where a shoulder begins
const SURE = 0.9; // alpha at the hem: waistbands and hands are half taken for the top
const HEM = 0.75; // of what the network sees, where it is as soft as its pixels are large
const LAST_ROWS = 0.1; // of a portrait that ends above the armpits
const LEAST_CORE = 0.55; // of the chest that the clothes must cover: hair, hands and bags hide a part

/** Nothing where the network sees no clothes on the chest. */
export function readWearer(picture: Rgb, pose: Pose, worn: Worn): Wearer | undefined {
  const { width, height } = picture;
  const { shoulderWidth } = pose;
  const sides = orderSides(pose);
  const upper = dropLegs(worn.upper, pose, sides);
  const found = sharpen(picture, upper);
  const middle = (sides[0].shoulder.x + sides[1].shoulder.x) / 2;
  const joints = (sides[0].shoulder.y + sides[1].shoulder.y) / 2;
  const chin = pose.face ? Math.round(pose.face.points[CHIN]!.y) : Math.round(joints - 0.45 * shoulderWidth);
  const { hem, isHemSeen } = findHem(found, upper, joints, sides);
  const isSkin = tellSkin(picture, pose);
  const top = leaveFace(cutBelow(found, upper, hem, UNEVEN * shoulderWidth, sides), pose);
  const known = threshold(worn.person, 0.5);
  const cloth = openMask(threshold(top, 0.5), 1);
  if (hem < joints || measureCore(top, sides, joints) < LEAST_CORE) return undefined;
  if (measureUnsure(worn.upper, hem) > MOST_UNSURE) return undefined;
  const lines = findContour(cloth, { top: Math.max(0, chin), bottom: height - 1 });
  const armpits = sides.map(({ shoulder }) => ({ x: shoulder.x, y: shoulder.y + ARMPIT * shoulderWidth }));
  const [left, right] = measureTorso(cloth, pose, sides, armpits, hem);
  for (const [n, pit] of armpits.entries()) pit.x = (n === 0 ? left : right)[clampRow(pit.y, height)]!;
  const shoulders = sides.map(({ shoulder }) => {
    const y = lines[Math.round(shoulder.x)] ?? -1;
    const usual = shoulder.y - 0.1 * shoulderWidth;
    return { x: shoulder.x, y: y < 0 || Math.abs(y - usual) > 0.16 * shoulderWidth ? usual : y };
  });
  const neck = shoulders.map((tip, n) => findNeck(lines, middle, tip, n, shoulderWidth));
  const arms = sides.map(({ elbow, wrist }, n) => {
    const seam = { x: (shoulders[n]!.x + armpits[n]!.x) / 2, y: (shoulders[n]!.y + armpits[n]!.y) / 2 };
    return makeAxis(traceArm(seam, elbow, wrist, shoulderWidth));
  });
  const lower = openMask(
    keepWhere(known, (i) => !cloth.data[i] && worn.lower.data[i]! + worn.upper.data[i]! > 0.5),
    1,
  );
  const chestRow = clampRow(Math.max(armpits[0]!.y, armpits[1]!.y), height);
  return {
    picture,
    pose,
    top: takeTrim(top, { picture, pose, known, isSkin, hem }),
    bare: keepWhere(known, (i) => top.data[i]! < 0.5 && !lower.data[i]),
    isSkin,
    lower,
    middle,
    left,
    right,
    contour: mapFloats(lines, (y) => y),
    hem,
    isHemSeen,
    neck: [neck[0]!, neck[1]!],
    shoulders: [shoulders[0]!, shoulders[1]!],
    armpits: [armpits[0]!, armpits[1]!],
    arms: [arms[0]!, arms[1]!],
    sleeveEnds: [findSleeveEnd(top, arms[0]!), findSleeveEnd(top, arms[1]!)],
    chest: Math.min(right[chestRow]! - left[chestRow]!, 1.3 * shoulderWidth) || width,
  };
}

function leaveFace(top: Plane, { face }: Pose): Plane {
  if (!face) return top;
  const oval = fillPolygon(pick(face.points, OVAL), top).data;
  return { ...top, data: mapFloats(top.data, (value, i) => (oval[i] ? 0 : value)) };
}

const LEGS = 0.35; // shoulder widths below the hips: what is called upper there and hangs together with nothing above

/** Trousers' sides that the network takes for the top: below the hips only what is a whole skirt or a sleeve stays. */
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

const MOST_UNSURE = 0.1; // of the clothes

/** Share of the clothes of which the network is in two minds, edges left out. */
function measureUnsure(upper: Plane, hem: number): number {
  const grain = Math.max(upper.width, upper.height) / NETWORK_SIDE;
  const unsure = erode(
    keepWhere(threshold(upper, 0.15), (i) => upper.data[i]! < 0.85 && i < hem * upper.width),
    1.5 * grain,
  );
  return countOnes(unsure) / Math.max(1, countOnes(threshold(upper, 0.5)));
}

const UNEVEN = 0.12; // shoulder widths that a hem's corners hang lower than its middle
const SLEEVE = 0.3; // shoulder widths about the forearm: sleeves hang lower than hems

/** What lies far below the hem and is no sleeve belongs to the trousers, and so does what is doubtful at the hem. */
function cutBelow(top: Plane, seen: Plane, hem: number, uneven: number, sides: [Side, Side]): Plane {
  const { width } = top;
  const reach = SLEEVE * (sides[1].shoulder.x - sides[0].shoulder.x);
  const isSleeve = (x: number) =>
    sides.some(({ elbow, wrist }) =>
      [elbow, wrist].some((joint) => joint && joint.y > hem && Math.abs(joint.x - x) < reach),
    );
  const data = mapFloats(top.data, (value, i) => {
    if (i < (hem + 1) * width || isSleeve(i % width)) return value;
    return i < (hem + uneven) * width ? Math.min(value, smoothStep(0.5, SURE, seen.data[i]!)) : 0;
  });
  return { ...top, data };
}

const NETWORK_SIDE = 352; // pixels: the finest look of the network, whose pixels edges may move by

function sharpen(picture: Rgb, plane: Plane): Plane {
  return solveEdges(picture, {
    alpha: plane,
    grain: Math.max(1, Math.max(picture.width, picture.height) / NETWORK_SIDE),
  });
}

type Side = { shoulder: Point; elbow: Point | undefined; wrist: Point | undefined; hip: Point | undefined };

function orderSides({ joints }: Pose): [Side, Side] {
  const left = {
    shoulder: joints.leftShoulder,
    elbow: joints.leftElbow,
    wrist: joints.leftWrist,
    hip: joints.leftHip,
  };
  const right = {
    shoulder: joints.rightShoulder,
    elbow: joints.rightElbow,
    wrist: joints.rightWrist,
    hip: joints.rightHip,
  };
  return left.shoulder.x < right.shoulder.x ? [left, right] : [right, left];
}

/** What cannot be seen of an arm hangs straight down, or goes on as it begins. */
function traceArm(seam: Point, elbow: Point | undefined, wrist: Point | undefined, shoulderWidth: number): Point[] {
  if (!elbow) return [seam, wrist ?? { x: seam.x, y: seam.y + 1.2 * shoulderWidth }];
  const beyond = { x: 2 * elbow.x - seam.x, y: 2 * elbow.y - seam.y };
  return [seam, elbow, wrist ?? beyond];
}

const clampRow = (y: number, height: number) => Math.min(height - 1, Math.max(0, Math.round(y)));

/** The median of the last rows between the shoulders: hands and hair hide it here and there. */
function findHem(found: Plane, seen: Plane, from: number, [one, other]: [Side, Side]) {
  const { height } = found;
  const sure = keepWhere(threshold(found, SURE), (i) => seen.data[i]! > HEM);
  const cloth = openMask(sure, 1);
  const inset = 0.2 * (other.shoulder.x - one.shoulder.x);
  const last = findContour(cloth, { top: clampRow(from, height), bottom: height - 1 }, true);
  const hem = median(last.subarray(Math.round(one.shoulder.x + inset), Math.round(other.shoulder.x - inset))) ?? -1;
  return hem >= height - 1 - 0.01 * height ? { hem: height, isHemSeen: false } : { hem, isHemSeen: true };
}

/** 0..1: how much of the chest the clothes cover, from below the neck down to the armpits and a little lower. */
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

/** Where the cloth begins beside the neck; a tall collar or hair over it counts as usual. */
function findNeck(lines: Int32Array, middle: number, tip: Point, n: number, shoulderWidth: number): Point {
  const x = middle + (n === 0 ? -NECK : NECK) * shoulderWidth;
  const seen = lines[Math.round(x)] ?? -1;
  const [highest, lowest] = [tip.y - 0.3 * shoulderWidth, tip.y + 0.05 * shoulderWidth];
  return { x, y: seen < 0 || seen > lowest ? tip.y - 0.12 * shoulderWidth : Math.max(highest, seen) };
}

function measureTorso(
  cloth: Mask,
  { shoulderWidth }: Pose,
  sides: [Side, Side],
  pits: Point[],
  hem: number,
): [Float32Array, Float32Array] {
  const { height } = cloth;
  const middle = (sides[0].shoulder.x + sides[1].shoulder.x) / 2;
  const edges = sides.map(({ hip, shoulder }, n) => {
    const side = n === 0 ? -1 : 1;
    const pit = pits[n]!;
    const foot = hip
      ? { x: hip.x + side * HIP_ASIDE * shoulderWidth, y: hip.y }
      : { x: pit.x, y: pit.y + 1.4 * shoulderWidth };
    const out = new Float32Array(height);
    for (let y = 0; y < height; y += 1) {
      const share = (y - pit.y) / Math.max(1, foot.y - pit.y);
      const guess = share < 0 ? shoulder.x : pit.x + (foot.x - pit.x) * Math.min(1.2, share);
      const run = share < 0 || y >= hem ? undefined : findRun(cloth, y, middle, 0.2 * shoulderWidth);
      const edge = run && (n === 0 ? run.from : run.to);
      out[y] = edge !== undefined && Math.abs(edge - guess) < ARM_ASIDE * shoulderWidth ? edge : guess;
    }
    return smoothRows(out, Math.max(2, Math.round(0.03 * shoulderWidth)));
  });
  return [edges[0]!, edges[1]!];
}

const GAP = 0.12; // of the arm's length: rolled cuffs and watches are no end of a sleeve

/** How far along the arm its bones lie under cloth. */
function findSleeveEnd({ data, width, height }: Plane, axis: Axis): number {
  let [end, bare] = [0, 0];
  for (let along = 0; along < axis.length; along += 2) {
    const { x, y } = placeOnAxis(axis, along, 0);
    if (x < 0 || y < 0 || x >= width || y >= height) return bare > 0 ? end : Infinity;
    if (data[Math.floor(y) * width + Math.floor(x)]! > 0.5) {
      end = along;
      bare = 0;
      continue;
    }
    bare += 2;
    if (bare > GAP * axis.length) break;
  }
  return end;
}
