// The person who puts the garment on: body outline, the clothes worn now, bare skin, arms.
import { grabCut, SEED } from '../matting/grabcut.ts';
import { dilate, findRegions, open as openMask } from '../matting/regions.ts';
import { boxAround, type Point } from '../people/faces.ts';
import { findFigure, outlineBone, outlineTorso, type Pose } from '../people/figure.ts';
import { CHIN, OVAL } from '../people/landmarks.ts';
import { fillPolygon, scalePolygon } from '../people/shapes.ts';
import { measureUnlikeness, paintSkin, pick } from '../people/skin.ts';
import { fitEdges } from '../people/soft-edges.ts';
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { resizePlane, softBlur } from '../pixels/planes.ts';
import { mapBytes, mapFloats } from '../pixels/map.ts';
import { findArmpit, findContour, findRun, smoothRows } from './rows.ts';
import { makeAxis, type Axis } from './sleeve.ts';

/** All places in pixels of `picture`; index 0 is the side on the picture's left. */
export interface Wearer {
  picture: Picture;
  pose: Pose;
  /** 0..1, the whole person. */
  figure: Float32Array;
  /** 0..1, the clothes on the upper body. */
  top: Float32Array;
  /** 1 on bare skin below the chin: neck, arms, hands. */
  skin: Uint8Array;
  /** 1 on what else is the person's below the top: trousers, skirt. */
  lower: Uint8Array;
  middle: number;
  /** The top without its sleeves, per row. */
  left: Float32Array;
  right: Float32Array;
  /** First row of the top per column, straight between the neck points. */
  shoulderLine: Float32Array;
  /** Last row of the top per column. */
  hemLine: Float32Array;
  neck: [Point, Point];
  armpits: [Point, Point];
  /** From the armhole's middle to the elbow and the wrist, as far as they can be seen. */
  arms: [Axis, Axis];
  chest: number;
}

/** Reads the person's clothes; nothing when no clothes can be told from skin and background. */
export async function readWearer(picture: Picture, pose: Pose): Promise<Wearer | undefined> {
  const { width, height } = picture;
  const figure = await findFigure(picture, pose);
  const top = await findTop(picture, pose, figure);
  const body = mapBytes(figure, (value) => (value > 0.5 ? 1 : 0));
  const cloth = mapBytes(top, (value) => (value > 0.5 ? 1 : 0));
  const sides = orderSides(pose);
  const middle = (sides[0].shoulder.x + sides[1].shoulder.x) / 2;
  const rows = { top: Math.round(Math.min(sides[0].shoulder.y, sides[1].shoulder.y)), bottom: height - 1 };
  const hemLine = findContour(cloth, width, { top: rows.top, bottom: height - 1 }, true);
  const hem = medianOf(hemLine, sides[0].shoulder.x, sides[1].shoulder.x);
  if (hem - rows.top < 0.4 * pose.shoulderWidth) return undefined;
  const under = { top: rows.top + Math.round(0.1 * pose.shoulderWidth), bottom: hem };
  const armpits = ([-1, 1] as const).map((side, n) => {
    const found = [cloth, body].map((mask) => findArmpit(mask, width, under, middle, side, 0.2 * pose.shoulderWidth));
    const [highest] = found.filter((pit) => pit !== undefined).sort((one, other) => one.y - other.y);
    return highest ?? guessArmpit(sides[n]!.shoulder, pose);
  }) as [Point, Point];
  const contour = findContour(cloth, width, { top: Math.round(chinOf(pose).y), bottom: rows.bottom });
  const shoulders = sides.map(({ shoulder }) => ({ x: shoulder.x, y: contour[Math.round(shoulder.x)] ?? shoulder.y }));
  const [left, right] = measureTorso(cloth, picture, { middle, armpits, shoulders, hem });
  const neck = [
    findNeckPoint(contour, middle, sides[0].shoulder.x),
    findNeckPoint(contour, middle, sides[1].shoulder.x),
  ];
  const chestRow = Math.round(Math.max(armpits[0].y, armpits[1].y));
  const skin = findSkin(picture, pose, body, cloth);
  const belowHem = (hem - 0.1 * pose.shoulderWidth) * width;
  for (let i = chestRow * width; i < belowHem; i += 1) if (body[i] && !cloth[i]) skin[i] = 1; // arms, in whatever shade
  return {
    picture,
    pose,
    figure,
    top,
    skin,
    lower: body.map((value, i) => (value && !cloth[i] && !skin[i] && i > belowHem ? 1 : 0)),
    middle,
    left,
    right,
    shoulderLine: straighten(contour, neck as [Point, Point]),
    hemLine: mapFloats(hemLine, (y) => (y < 0 ? hem : y)),
    neck: neck as [Point, Point],
    armpits,
    arms: sides.map(({ elbow, wrist }, n) => {
      const seam = { x: (shoulders[n]!.x + armpits[n]!.x) / 2, y: (shoulders[n]!.y + armpits[n]!.y) / 2 };
      const bones = [elbow, wrist].filter((joint) => joint !== undefined);
      return makeAxis(bones.length > 0 ? [seam, ...bones] : [seam, { x: seam.x, y: seam.y + pose.shoulderWidth }]);
    }) as [Axis, Axis],
    chest: right[chestRow]! - left[chestRow]!,
  };
}

interface Side {
  shoulder: Point;
  elbow: Point | undefined;
  wrist: Point | undefined;
}

function orderSides({ joints }: Pose): [Side, Side] {
  const { leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist, rightWrist } = joints;
  if (!leftShoulder || !rightShoulder) throw new Error('a pose has both shoulders');
  const left = { shoulder: leftShoulder, elbow: leftElbow, wrist: leftWrist };
  const right = { shoulder: rightShoulder, elbow: rightElbow, wrist: rightWrist };
  return left.shoulder.x < right.shoulder.x ? [left, right] : [right, left];
}

function chinOf({ face }: Pose): Point {
  return face.points[CHIN] ?? { x: face.box.left, y: face.box.top + face.box.height };
}

function guessArmpit(shoulder: Point, { shoulderWidth }: Pose): Point {
  return { x: shoulder.x, y: shoulder.y + 0.38 * shoulderWidth };
}

function medianOf(values: Int32Array, from: number, to: number): number {
  const near = Array.from(values.subarray(Math.round(from), Math.round(to))).sort((a, b) => a - b);
  return near[near.length >> 1] ?? -1;
}

const WORK_SIDE = 512;
const ROUNDS = 3;

/** GrabCut once more, inside the figure: cloth from the chest against face, hands, legs and whatever has their colours. */
async function findTop(picture: Picture, pose: Pose, figure: Float32Array): Promise<Float32Array> {
  const small = await shrinkPicture(picture, WORK_SIDE);
  const { width, height } = small;
  const inside = resizePlane(figure, picture.width, picture.height, width, height);
  const seeds = seedTop(small, pose, inside, width / picture.width);
  const cut = openMask(grabCut(small, seeds, ROUNDS), width, height, 1.5);
  const [largest] = findRegions(cut, width, height).sort((one, other) => other.pixels.length - one.pixels.length);
  const whole = new Float32Array(width * height);
  for (const i of largest?.pixels ?? []) whole[i] = 1;
  const fitted = await fitEdges(picture, { plane: softBlur(whole, width, height, 2), width, height });
  return fitted.map((value, i) => Math.min(value, figure[i]!));
}

function seedTop(picture: Picture, pose: Pose, inside: Float32Array, scale: number): Uint8Array {
  const { width, height } = picture;
  const scaled = (point: Point) => ({ x: point.x * scale, y: point.y * scale });
  const points = pose.face.points.map(scaled);
  const face = fillPolygon(scalePolygon(pick(points, OVAL), 1.15), width, height);
  const torso = outlineTorso(pose.joints, pose.shoulderWidth, height / scale).map(scaled);
  const core = fillPolygon(scalePolygon(torso, 0.6), width, height);
  const unlikeSkin = measureUnlikeness(toLabPlanes(picture), paintSkin(points, width, height));
  const hands = paintHands(pose, scale, width, height);
  const hips = boxAround(torso).top + boxAround(torso).height;
  const chin = scaled(chinOf(pose)).y;
  return mapBytes(inside, (value, i) => {
    const y = Math.floor(i / width);
    if (value < 0.5 || face[i] || hands[i] || y < chin || y > hips + 0.5 * pose.shoulderWidth * scale) {
      return SEED.background;
    }
    if (core[i] && unlikeSkin[i]! > 3) return SEED.foreground;
    return unlikeSkin[i]! < 3 || y > hips ? SEED.probablyBackground : SEED.probablyForeground;
  });
}

function paintHands({ joints, shoulderWidth }: Pose, scale: number, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height);
  for (const [elbow, wrist] of [
    [joints.leftElbow, joints.leftWrist],
    [joints.rightElbow, joints.rightWrist],
  ]) {
    if (!elbow || !wrist) continue;
    const along = { x: wrist.x - elbow.x, y: wrist.y - elbow.y };
    const start = { x: (elbow.x + 0.9 * along.x) * scale, y: (elbow.y + 0.9 * along.y) * scale };
    const end = { x: (elbow.x + 1.4 * along.x) * scale, y: (elbow.y + 1.4 * along.y) * scale };
    const bar = fillPolygon(outlineBone(start, end, 0.07 * shoulderWidth * scale, 0), width, height);
    for (let i = 0; i < out.length; i += 1) if (bar[i]) out[i] = 1;
  }
  return out;
}

function findSkin(picture: Picture, pose: Pose, body: Uint8Array, cloth: Uint8Array): Uint8Array {
  const { width, height } = picture;
  const unlike = measureUnlikeness(toLabPlanes(picture), paintSkin(pose.face.points, width, height));
  const chin = chinOf(pose).y;
  const near = dilate(cloth, width, height, 1);
  const skin = body.map((value, i) => (value && !near[i] && i > chin * width && unlike[i]! < LIKE_SKIN ? 1 : 0));
  return openMask(skin, width, height, 1.5);
}

const LIKE_SKIN = 6; // deviations: arms lie in more shade than faces

function measureTorso(
  cloth: Uint8Array,
  { width, height }: Picture,
  shape: { middle: number; armpits: [Point, Point]; shoulders: Point[]; hem: number },
): [Float32Array, Float32Array] {
  const { middle, armpits, shoulders, hem } = shape;
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
      const run = y < hem - 2 ? findRun(cloth, width, y, middle, 4) : undefined;
      if (run) last = n === 0 ? run.from : run.to;
      side[y] = last;
    }
  }
  return [smoothRows(sides[0], 8), smoothRows(sides[1], 8)];
}

/** The highest place of the clothes between the middle and the shoulder. */
function findNeckPoint(contour: Int32Array, middle: number, shoulder: number): Point {
  const step = shoulder < middle ? -1 : 1;
  let best = { x: (middle + shoulder) / 2, y: Infinity };
  for (let x = Math.round(middle); step < 0 ? x > shoulder : x < shoulder; x += step) {
    const y = contour[x]!;
    if (y >= 0 && y < best.y) best = { x, y };
  }
  return Number.isFinite(best.y) ? best : { x: best.x, y: contour[Math.round(best.x)]! };
}

function straighten(contour: Int32Array, [one, other]: [Point, Point]): Float32Array {
  return mapFloats(contour, (y, x) => {
    if (x < one.x) return y < 0 ? one.y : y;
    if (x > other.x) return y < 0 ? other.y : y;
    return one.y + ((other.y - one.y) * (x - one.x)) / Math.max(1, other.x - one.x);
  });
}
