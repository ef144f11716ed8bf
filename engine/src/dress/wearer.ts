/** The person who puts the garment on: body outline, the clothes worn now, bare skin, arms. */
import { boxAround } from '../people/faces.ts';
import { findFigure, outlineTorso, type Pose } from '../people/figure.ts';
import { CHIN, OVAL } from '../people/landmarks.ts';
import { measureUnlikeness, paintSkin, pick } from '../people/skin.ts';
import { fitEdges } from '../people/soft-edges.ts';
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import { grabCut, SEED, type Seeds } from '../pixels/grab-cut.ts';
import { mapBytes } from '../pixels/map.ts';
import { dilate, keepWhere, open as openMask, threshold } from '../pixels/mask.ts';
import { toPlane, type Mask, type Plane, type Point, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { fillPolygon, scalePolygon } from '../pixels/shapes.ts';
import { findArmpit, findContour, findPeak, findRun, median, smoothRows, straightenNeck } from './rows.ts';
import { makeAxis, projectOnAxis, type Axis } from './sleeve.ts';
import { keepLargest, removeWebs, tellOtherColour } from './webs.ts';

/** All places in pixels of `picture`; index 0 is the side on the picture's left. */
export type Wearer = {
  picture: Rgb;
  pose: Pose;
  /** 0..1, the whole person. */
  figure: Plane;
  /** 0..1, the clothes on the upper body. */
  top: Plane;
  /** 1 on bare skin below the chin: neck, arms, hands. */
  skin: Mask;
  /** 1 on what else is the person's below the top: trousers, skirt. */
  lower: Mask;
  middle: number;
  /** The top without its sleeves, per row. */
  left: Float32Array;
  right: Float32Array;
  /** First row of the top per column, straight between the neck points. */
  shoulderLine: Float32Array;
  /** Last row of the top, in its middle. */
  hem: number;
  neck: [Point, Point];
  armpits: [Point, Point];
  /** Both arms stand away from the body, so that its sides are seen. */
  hasFreeArms: boolean;
  /** Where the shoulders end, on the upper edge of the top. */
  shoulders: [Point, Point];
  /** From the armhole's middle to the elbow and the wrist, as far as they can be seen. */
  arms: [Axis, Axis];
  chest: number;
};

const GAPS = { shade: 8, unlike: 4, most: 0.03 }; // between arms and body, see `removeWebs`

/** Reads the person's clothes; nothing when no clothes can be told from skin and background. */
export async function readWearer(picture: Rgb, pose: Pose): Promise<Wearer | undefined> {
  const { width, height } = picture;
  const found = await findFigure(picture, pose);
  const seen = threshold(found, 0.5);
  const kept = removeWebs(picture, seen, GAPS);
  const figure = { ...found, data: found.data.map((value, i) => (seen.data[i] && !kept.data[i] ? 0 : value)) };
  const top = cutAtHem(await findTop(picture, pose, figure), picture, pose);
  const body = threshold(figure, 0.5);
  const cloth = threshold(top, 0.5);
  const sides = orderSides(pose);
  const middle = (sides[0].shoulder.x + sides[1].shoulder.x) / 2;
  const rows = { top: Math.round(Math.min(sides[0].shoulder.y, sides[1].shoulder.y)), bottom: height - 1 };
  const hemLine = findContour(cloth, rows, true);
  const hem = median(hemLine.subarray(Math.round(sides[0].shoulder.x), Math.round(sides[1].shoulder.x))) ?? -1;
  const middleHem = hemLine[Math.round(middle)]!;
  if (hem - rows.top < 0.4 * pose.shoulderWidth) return undefined;
  const under = { top: rows.top + Math.round(0.1 * pose.shoulderWidth), bottom: hem };
  const pits = ([-1, 1] as const).map((side) => {
    const find = (mask: Mask) => findArmpit(mask, under, middle, side, 0.2 * pose.shoulderWidth);
    return find(cloth) ?? find(body);
  });
  const armpits = pits.map((pit, n) => pit ?? guessArmpit(sides[n]!.shoulder, pose)) as [Point, Point];
  const contour = findContour(cloth, { top: Math.round(pose.face.points[CHIN]!.y), bottom: rows.bottom });
  const shoulders = sides.map(({ shoulder }) => ({ x: shoulder.x, y: contour[Math.round(shoulder.x)] ?? shoulder.y }));
  const [left, right] = measureTorso(cloth, { middle, armpits, shoulders, hem });
  const neck = sides.map(({ shoulder }) => findPeak(contour, middle, shoulder.x, -1)) as [Point, Point];
  const chestRow = Math.round(Math.max(armpits[0].y, armpits[1].y));
  const skin = findSkin(picture, pose, body, cloth);
  const belowHem = (hem - 0.1 * pose.shoulderWidth) * width;
  for (let i = chestRow * width; i < belowHem; i += 1) {
    if (body.data[i] && !cloth.data[i]) skin.data[i] = 1; // arms, in whatever shade
  }
  return {
    picture,
    pose,
    figure,
    top,
    skin,
    lower: keepWhere(body, (i) => !cloth.data[i] && !skin.data[i] && i > belowHem),
    middle,
    left,
    right,
    shoulderLine: straightenNeck(contour, neck, [neck[0].y, neck[1].y]),
    hem: middleHem < 0 ? hem : middleHem,
    neck,
    armpits,
    hasFreeArms: pits.every((pit) => pit !== undefined && pit.y - rows.top < LOWEST_PIT * pose.shoulderWidth),
    shoulders: [shoulders[0]!, shoulders[1]!],
    arms: sides.map(({ elbow, wrist }, n) => {
      const seam = { x: (shoulders[n]!.x + armpits[n]!.x) / 2, y: (shoulders[n]!.y + armpits[n]!.y) / 2 };
      const bones = [elbow, wrist].filter((joint) => joint !== undefined);
      return makeAxis(bones.length > 0 ? [seam, ...bones] : [seam, { x: seam.x, y: seam.y + pose.shoulderWidth }]);
    }) as [Axis, Axis],
    chest: right[chestRow]! - left[chestRow]!,
  };
}

const LOWEST_PIT = 0.75; // shoulder widths below the shoulders: a gap that opens lower is no armpit

type Side = {
  shoulder: Point;
  elbow: Point | undefined;
  wrist: Point | undefined;
};

function orderSides({ joints }: Pose): [Side, Side] {
  const { leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist, rightWrist } = joints;
  const left = { shoulder: leftShoulder, elbow: leftElbow, wrist: leftWrist };
  const right = { shoulder: rightShoulder, elbow: rightElbow, wrist: rightWrist };
  return left.shoulder.x < right.shoulder.x ? [left, right] : [right, left];
}

function guessArmpit(shoulder: Point, { shoulderWidth }: Pose): Point {
  return { x: shoulder.x, y: shoulder.y + 0.38 * shoulderWidth };
}

const WORK_SIDE = 512;
const ROUNDS = 3;

/**
 * GrabCut once more, inside the figure: cloth from the chest against face, hands, legs and whatever has their colours.
 */
async function findTop(picture: Rgb, pose: Pose, figure: Plane): Promise<Plane> {
  const small = await shrinkRgb(picture, WORK_SIDE);
  const seeds = seedTop(small, pose, resizePlane(figure, small), small.width / picture.width);
  const whole = keepLargest(openMask(grabCut(small, seeds, ROUNDS), 1.5));
  const fitted = await fitEdges(picture, softBlur(toPlane(whole), 2));
  return { ...figure, data: fitted.data.map((value, i) => Math.min(value, figure.data[i]!)) };
}

function seedTop(picture: Rgb, pose: Pose, inside: Plane, scale: number): Seeds {
  const { width, height } = picture;
  const scaled = (point: Point) => ({ x: point.x * scale, y: point.y * scale });
  const points = pose.face.points.map(scaled);
  const face = fillPolygon(scalePolygon(pick(points, OVAL), 1.15), picture).data;
  const torso = outlineTorso(pose, height / scale).map(scaled);
  const core = fillPolygon(scalePolygon(torso, 0.6), picture).data;
  const unlikeSkin = measureUnlikeness(toLabPlanes(picture), paintSkin(points, picture)).data;
  const isHand = tellHands(pose);
  const hips = boxAround(torso).top + boxAround(torso).height;
  const chin = points[CHIN]!.y;
  const data = mapBytes(inside.data, (value, i) => {
    const y = Math.floor(i / width);
    if (
      value < 0.5 ||
      face[i] ||
      isHand((i % width) / scale, y / scale) ||
      y < chin ||
      y > hips + 0.5 * pose.shoulderWidth * scale
    ) {
      return SEED.background;
    }
    if (core[i] && unlikeSkin[i]! > 3) return SEED.foreground;
    return unlikeSkin[i]! < 3 || y > hips ? SEED.probablyBackground : SEED.probablyForeground;
  });
  return { width, height, data };
}

/** Says of places whether a hand lies there: a bar from before the wrist on, as far as fingers reach. */
function tellHands({ joints, shoulderWidth }: Pose): (x: number, y: number) => boolean {
  const forearms = [
    [joints.leftElbow, joints.leftWrist],
    [joints.rightElbow, joints.rightWrist],
  ] as const;
  const axes = forearms.flatMap(([elbow, wrist]) => (elbow && wrist ? [makeAxis([elbow, wrist])] : []));
  return (x, y) =>
    axes.some((axis) => {
      const { along, across } = projectOnAxis(axis, x, y);
      return along > 0.9 * axis.length && along < 1.4 * axis.length && Math.abs(across) < 0.07 * shoulderWidth;
    });
}

const MOSTLY = 0.7; // of a row

/** Trousers taken for the top: from the hips on, rows that are mostly of another colour than the chest end it. */
function cutAtHem(top: Plane, picture: Rgb, pose: Pose): Plane {
  const { width, height } = picture;
  const torso = boxAround(outlineTorso(pose, height));
  const lab = toLabPlanes(picture);
  const chest: number[] = [];
  const from = Math.round(torso.top + 0.35 * torso.height) * width;
  for (let i = from; i < from + 0.2 * torso.height * width; i += 3) if (top.data[i]! > 0.98) chest.push(i);
  const isOther = tellOtherColour(lab, chest);
  const isTrousers = (y: number) => {
    let [other, all] = [0, 0];
    for (let i = y * width; i < (y + 1) * width; i += 1) {
      if (top.data[i]! < 0.5) continue;
      all += 1;
      if (isOther(i)) other += 1;
    }
    return other > MOSTLY * all;
  };
  let hem = height;
  while (hem > torso.top + 0.8 * torso.height && isTrousers(hem - 1)) hem -= 1;
  return { ...top, data: top.data.map((value, i) => (i < hem * width ? value : 0)) };
}

function findSkin(picture: Rgb, pose: Pose, body: Mask, cloth: Mask): Mask {
  const { width } = picture;
  const unlike = measureUnlikeness(toLabPlanes(picture), paintSkin(pose.face.points, picture)).data;
  const chin = pose.face.points[CHIN]!.y;
  const near = dilate(cloth, 1).data;
  const skin = keepWhere(body, (i) => !near[i] && i > chin * width && unlike[i]! < LIKE_SKIN);
  return openMask(skin, 1.5);
}

const LIKE_SKIN = 6; // deviations: arms lie in more shade than faces

function measureTorso(
  cloth: Mask,
  { middle, armpits, shoulders, hem }: { middle: number; armpits: [Point, Point]; shoulders: Point[]; hem: number },
): [Float32Array, Float32Array] {
  const { height } = cloth;
  const sides = [new Float32Array(height), new Float32Array(height)] as [Float32Array, Float32Array];
  for (const [n, side] of sides.entries()) {
    const shoulder = shoulders[n]!;
    const pit = armpits[n]!;
    let last = pit.x;
    for (let y = 0; y < height; y += 1) {
      if (y <= pit.y) {
        const share = Math.min(1, Math.max(0, (y - shoulder.y) / Math.max(1, pit.y - shoulder.y)));
        side[y] = shoulder.x + (pit.x - shoulder.x) * share;
        continue;
      }
      const run = y < hem - 2 ? findRun(cloth, y, middle, 4) : undefined;
      if (run) last = n === 0 ? run.from : run.to;
      side[y] = last;
    }
  }
  return [smoothRows(sides[0], 8), smoothRows(sides[1], 8)];
}
