/** Segments a person's upper body and clothes: torso, arms, neckline, hem. */
import type { Pose } from '../people/figure.ts';
import { CHIN } from '../people/landmarks.ts';
import type { Worn } from '../people/worn.ts';
import { findContour, keepWhere, open as openMask, threshold } from '../pixels/mask.ts';
import type { Mask, Plane, Point, Rgb } from '../pixels/plane.ts';
import { clampRow, findCloth, addTrim, makeSkinTest } from './cloth.ts';
import { findRun, medianRows, smoothRows } from './rows.ts';
import {
  eachSide,
  findSleeveEnd,
  orderSides,
  traceArm,
  type Axis,
  type BothSides,
  type Side,
  type SideNumber,
  type WornSleeve,
} from './sleeve.ts';

/** All positions in pixels of `picture`; index 0 is the picture's left side. */
export type Wearer = {
  picture: Rgb;
  pose: Pose;
  /** Alpha 0..1 of the clothes on the upper body. */
  top: Plane;
  /** 1 on the rest of the person: face, hair, arms, hands, legs. */
  bare: Mask;
  /** True if a pixel has the person's skin colour; lightness has little weight. */
  isSkin: (i: number) => boolean;
  /** 1 on trousers or skirt. */
  lower: Mask;
  middle: number;
  /** Left and right edge of the torso without arms, per row. */
  left: Float32Array;
  right: Float32Array;
  /** First row of the top per column. */
  contour: Float32Array;
  /** Last row of the top in its centre, and whether it ends there rather than at the photo's border. */
  hem: number;
  isHemVisible: boolean;
  /** Inner (neck) and outer ends of the shoulders. */
  neck: BothSides<Point>;
  shoulders: BothSides<Point>;
  armpits: BothSides<Point>;
  /** Axes from the armhole's centre to elbow and wrist, if visible. */
  arms: BothSides<Axis>;
  /** Pixels along each arm at which the old sleeve ends or leaves the photo. */
  sleeves: BothSides<WornSleeve>;
  chest: number;
};

// Shares of the distance between the shoulder joints, for adults seen from the front.
const ARMPIT = 0.4; // below the joints
const ARM_ASIDE = 0.22; // largest distance of the torso's edge from the line armpit to hip; farther it is an arm's
const CUFF = 0.16; // above and below: a short sleeve's end may touch the torso in fewer rows
const HIP_ASIDE = 0.14; // from a hip joint out to the side
const NECK = 0.22; // from the centre to the neck end of a shoulder
/** Segments the wearer; undefined if the network detects no clothes on the chest. */
export function readWearer(picture: Rgb, pose: Pose, worn: Worn): Wearer | undefined {
  const { width, height } = picture;
  const { shoulderWidth } = pose;
  const sides = orderSides(pose);
  const clothes = findCloth(picture, pose, worn, sides);
  if (!clothes) return undefined;
  const { hem, isHemVisible } = clothes;
  const middle = (sides[0].shoulder.x + sides[1].shoulder.x) / 2;
  const joints = (sides[0].shoulder.y + sides[1].shoulder.y) / 2;
  const chin = pose.face ? Math.round(pose.face.points[CHIN]!.y) : Math.round(joints - 0.45 * shoulderWidth);
  const isSkin = makeSkinTest(picture, pose);
  const known = threshold(worn.person, 0.5);
  const top = addTrim(clothes.top, { picture, pose, known, isSkin, hem });
  const cloth = openMask(threshold(top, 0.5), 1);
  const contour = findContour(cloth, { top: Math.max(0, chin), bottom: height - 1 });
  const [left, right] = eachSide((n) => measureEdge(cloth, shoulderWidth, sides[n], n, { middle, hem }));
  const armpits = eachSide((n) => {
    const y = armpitRow(sides[n], shoulderWidth);
    return { x: (n === 0 ? left : right)[clampRow(y, height)]!, y };
  });
  const shoulders = sides.map(({ shoulder }) => {
    const y = contour[Math.round(shoulder.x)] ?? -1;
    const expected = shoulder.y - 0.1 * shoulderWidth;
    return { x: shoulder.x, y: y < 0 || Math.abs(y - expected) > 0.16 * shoulderWidth ? expected : y };
  }) as BothSides<Point>;
  const other = keepWhere(known, (i) => !cloth.data[i] && worn.lower.data[i]! + worn.upper.data[i]! > 0.5);
  const lower = openMask(other, 1);
  const chestRow = clampRow(Math.max(armpits[0].y, armpits[1].y), height);
  const chest = Math.min(right[chestRow]! - left[chestRow]!, 1.3 * shoulderWidth) || width;
  const arms = eachSide((n) => {
    const seam = { x: (shoulders[n].x + armpits[n].x) / 2, y: (shoulders[n].y + armpits[n].y) / 2 };
    return traceArm(seam, sides[n], shoulderWidth);
  });
  const isBare = (i: number) => known.data[i] === 1 && isSkin(i);
  const sleeves = eachSide((n) => {
    const isBeside = (x: number, y: number) => (n === 0 ? x < left[y]! : x > right[y]!);
    const found = findSleeveEnd(top, arms[n], chest, isBeside, isBare);
    const isArmSeen = sides[n].elbow !== undefined || sides[n].wrist !== undefined;
    return { ...found, isEndVisible: found.isEndVisible && isArmSeen }; // else the other arm's hand may hide it
  });
  const neck = eachSide((n) => findNeck(contour, middle, shoulders[n], n, shoulderWidth));
  const bare = keepWhere(known, (i) => top.data[i]! < 0.5 && !lower.data[i]);
  const parts = { left, right, contour, hem, isHemVisible, neck, shoulders, armpits, arms, sleeves, chest };
  return { picture, pose, top, bare, isSkin, lower, middle, ...parts };
}

const armpitRow = ({ shoulder }: Side, shoulderWidth: number): number => shoulder.y + ARMPIT * shoulderWidth;

/** Where the cloth begins beside the neck; the default under a tall collar or hair. */
function findNeck(contour: Float32Array, middle: number, tip: Point, n: SideNumber, shoulderWidth: number): Point {
  const x = middle + (n === 0 ? -NECK : NECK) * shoulderWidth;
  const row = contour[Math.round(x)] ?? -1;
  const [highest, lowest] = [tip.y - 0.3 * shoulderWidth, tip.y + 0.05 * shoulderWidth];
  return { x, y: row < 0 || row > lowest ? tip.y - 0.12 * shoulderWidth : Math.max(highest, row) };
}

/** The torso's edge per row without its arm: the cloth's own, or an estimate. */
function measureEdge(
  cloth: Mask,
  shoulderWidth: number,
  side: Side,
  n: SideNumber,
  { middle, hem }: Pick<Wearer, 'middle' | 'hem'>,
): Float32Array {
  const { shoulder, hip } = side;
  const pit = { x: shoulder.x, y: armpitRow(side, shoulderWidth) };
  const foot = hip
    ? { x: hip.x + (n === 0 ? -HIP_ASIDE : HIP_ASIDE) * shoulderWidth, y: hip.y }
    : { x: pit.x, y: pit.y + 1.4 * shoulderWidth };
  const edges = new Float32Array(cloth.height).map((_, y) => {
    const share = (y - pit.y) / Math.max(1, foot.y - pit.y);
    const guess = share < 0 ? shoulder.x : pit.x + (foot.x - pit.x) * Math.min(1.2, share);
    const run = share < 0 || y >= hem ? undefined : findRun(cloth, y, middle, 0.2 * shoulderWidth);
    const edge = run && (n === 0 ? run.from : run.to);
    return edge !== undefined && Math.abs(edge - guess) < ARM_ASIDE * shoulderWidth ? edge : guess;
  });
  const typical = medianRows(edges, Math.round(CUFF * shoulderWidth));
  return smoothRows(typical, Math.max(2, Math.round(0.03 * shoulderWidth)));
}
