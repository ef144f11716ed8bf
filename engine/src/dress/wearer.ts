/** What a person wears on the upper body, taken apart: torso, arms, neckline, hem. */
import type { Pose } from '../people/figure.ts';
import { CHIN } from '../people/landmarks.ts';
import type { Worn } from '../people/worn.ts';
import { findContour, keepWhere, open as openMask, threshold } from '../pixels/mask.ts';
import type { Mask, Plane, Point, Rgb } from '../pixels/plane.ts';
import { ARM, findSleeveEnd, orderSides, traceArm, type Side, type WornSleeve } from './arms.ts';
import { clampRow, findCloth } from './cloth.ts';
import { findRun, smoothRows } from './rows.ts';
import type { Axis } from './sleeve.ts';
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
  /** Pixels along each arm at which the sleeve worn now ends, or leaves the photo. */
  sleeves: [WornSleeve, WornSleeve];
  chest: number;
};

// Shares of the distance between the shoulder joints, as they lie on grown people seen from the front.
const ARMPIT = 0.4; // below the joints
const ARM_ASIDE = 0.22; // the torso's edge is at most so far from the line armpit to hip, or it is an arm's
const HIP_ASIDE = 0.14; // from a hip joint out to the side
const NECK = 0.22; // from the middle to where a shoulder begins
/** Nothing where the network sees no clothes on the chest. */
export function readWearer(picture: Rgb, pose: Pose, worn: Worn): Wearer | undefined {
  const { width, height } = picture;
  const { shoulderWidth } = pose;
  const sides = orderSides(pose);
  const seen = findCloth(picture, pose, worn, sides);
  if (!seen) return undefined;
  const { hem, isHemSeen } = seen;
  const middle = (sides[0].shoulder.x + sides[1].shoulder.x) / 2;
  const joints = (sides[0].shoulder.y + sides[1].shoulder.y) / 2;
  const chin = pose.face ? Math.round(pose.face.points[CHIN]!.y) : Math.round(joints - 0.45 * shoulderWidth);
  const isSkin = tellSkin(picture, pose);
  const known = threshold(worn.person, 0.5);
  const top = takeTrim(seen.top, { picture, pose, known, isSkin, hem });
  const cloth = openMask(threshold(top, 0.5), 1);
  const contour = findContour(cloth, { top: Math.max(0, chin), bottom: height - 1 });
  const armpits = sides.map(({ shoulder }) => ({ x: shoulder.x, y: shoulder.y + ARMPIT * shoulderWidth }));
  const [left, right] = measureTorso(cloth, pose, sides, armpits, hem);
  for (const [n, pit] of armpits.entries()) pit.x = (n === 0 ? left : right)[clampRow(pit.y, height)]!;
  const shoulders = sides.map(({ shoulder }) => {
    const y = contour[Math.round(shoulder.x)] ?? -1;
    const usual = shoulder.y - 0.1 * shoulderWidth;
    return { x: shoulder.x, y: y < 0 || Math.abs(y - usual) > 0.16 * shoulderWidth ? usual : y };
  });
  const neck = shoulders.map((tip, n) => findNeck(contour, middle, tip, n, shoulderWidth));
  const arms = sides.map(({ elbow, wrist }, n) => {
    const seam = { x: (shoulders[n]!.x + armpits[n]!.x) / 2, y: (shoulders[n]!.y + armpits[n]!.y) / 2 };
    return traceArm(seam, elbow, wrist, shoulderWidth);
  });
  const lower = openMask(
    keepWhere(known, (i) => !cloth.data[i] && worn.lower.data[i]! + worn.upper.data[i]! > 0.5),
    1,
  );
  const chestRow = clampRow(Math.max(armpits[0]!.y, armpits[1]!.y), height);
  const chest = Math.min(right[chestRow]! - left[chestRow]!, 1.3 * shoulderWidth) || width;
  const isBare = (i: number) => known.data[i] === 1 && isSkin(i);
  const findEnd = (n: 0 | 1) => {
    const isBeside = (x: number, y: number) => (n === 0 ? x < left[y]! : x > right[y]!);
    return findSleeveEnd(top, arms[n]!, ARM * chest, isBeside, isBare);
  };
  return {
    picture,
    pose,
    top,
    bare: keepWhere(known, (i) => top.data[i]! < 0.5 && !lower.data[i]),
    isSkin,
    lower,
    middle,
    left,
    right,
    contour,
    hem,
    isHemSeen,
    neck: [neck[0]!, neck[1]!],
    shoulders: [shoulders[0]!, shoulders[1]!],
    armpits: [armpits[0]!, armpits[1]!],
    arms: [arms[0]!, arms[1]!],
    sleeves: [findEnd(0), findEnd(1)],
    chest,
  };
}

/** Where the cloth begins beside the neck; a tall collar or hair over it counts as usual. */
function findNeck(contour: Float32Array, middle: number, tip: Point, n: number, shoulderWidth: number): Point {
  const x = middle + (n === 0 ? -NECK : NECK) * shoulderWidth;
  const seen = contour[Math.round(x)] ?? -1;
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
