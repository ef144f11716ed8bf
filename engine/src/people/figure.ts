// A person as a whole: which pixels are theirs, from head to where the picture ends.
import { grabCut, SEED } from '../matting/grabcut.ts';
import { countOnes, dilate, fillHoles, findRegions, invert, open } from '../matting/regions.ts';
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { toLabPlanes, type LabPlanes } from '../pixels/lab.ts';
import { softBlur } from '../pixels/planes.ts';
import type { Body, JointName } from './bodies.ts';
import { boxAround, type Box, type Face, type Point } from './faces.ts';
import { OVAL } from './landmarks.ts';
import { fillPolygon, scalePolygon } from './shapes.ts';
import { pick } from './skin.ts';
import { fitEdges } from './soft-edges.ts';
import { measureUnlikeWall } from './wall.ts';

export interface Pose {
  face: Face;
  joints: Body['joints'];
  /** Pixels between the shoulder joints: the measure of everything else. */
  shoulderWidth: number;
}

/** Nothing when a shoulder cannot be seen. */
export function readPose(face: Face, body: Body | undefined): Pose | undefined {
  const { leftShoulder, rightShoulder } = body?.joints ?? {};
  if (!body || !leftShoulder || !rightShoulder) return undefined;
  const shoulderWidth = Math.hypot(leftShoulder.x - rightShoulder.x, leftShoulder.y - rightShoulder.y);
  return shoulderWidth < face.box.width ? undefined : { face, joints: body.joints, shoulderWidth };
}

const WORK_SIDE = 512;
const CROWN = 0.25; // of the face's height: so far above the mesh there is still head under any hair
const ROUNDS = 3;

/**
 * 0..1 per pixel: how much of it is the person. GrabCut from seeds along the skeleton, edges fitted to the picture.
 * @param side pixels of the long side at which colours are parted; a head alone needs fewer than a whole figure
 */
export async function findFigure(picture: Picture, pose: Pose, side = WORK_SIDE): Promise<Float32Array> {
  const small = await shrinkPicture(picture, side);
  const scale = small.width / picture.width;
  const lab = toLabPlanes(small);
  const seeds = guessByWall(small, lab, seedFigure(small, scalePose(pose, scale)));
  const mask = grabCut(small, seeds, ROUNDS);
  const open = openGaps(small, lab, mask, markGaps(small, scalePose(pose, scale)));
  const { width, height } = small;
  const plane = softBlur(new Float32Array(keepFigure(open, width, height)), width, height, 1.5);
  return fitEdges(picture, { plane, width, height });
}

function scalePose({ face, joints, shoulderWidth }: Pose, scale: number): Pose {
  const scaled = (point: Point) => ({ x: point.x * scale, y: point.y * scale });
  const moved = Object.entries(joints).map(([name, joint]) => [name, { ...joint, ...scaled(joint) }]);
  return {
    face: { ...face, points: face.points.map(scaled) },
    joints: Object.fromEntries(moved) as Body['joints'],
    shoulderWidth: shoulderWidth * scale,
  };
}

/** The bones, each with the half-widths (in shoulder widths) of what is surely flesh or cloth and of what may be. */
const BONES: [JointName, JointName, number, number][] = [
  ['leftShoulder', 'leftElbow', 0.07, 0.4],
  ['rightShoulder', 'rightElbow', 0.07, 0.4],
  ['leftElbow', 'leftWrist', 0.045, 0.35],
  ['rightElbow', 'rightWrist', 0.045, 0.35],
  ['leftHip', 'leftKnee', 0.1, 0.5],
  ['rightHip', 'rightKnee', 0.1, 0.5],
  ['leftKnee', 'leftAnkle', 0.06, 0.4],
  ['rightKnee', 'rightAnkle', 0.06, 0.4],
];

function seedFigure({ width, height }: Picture, { face, joints, shoulderWidth }: Pose): Uint8Array {
  const sure = new Uint8Array(width * height);
  const near = new Uint8Array(width * height);
  const oval = pick(face.points, OVAL);
  paint(sure, fillPolygon(scalePolygon(oval, 0.9), width, height));
  paint(near, fillPolygon(scalePolygon(oval, 2.6), width, height));
  const rise = CROWN * boxAround(oval).height;
  const crown = scalePolygon(oval, 0.85).map(({ x, y }) => ({ x, y: y - rise }));
  paint(sure, fillPolygon(crown, width, height));
  const torso = outlineTorso(joints, shoulderWidth, height);
  paint(sure, fillPolygon(scalePolygon(torso, 0.62), width, height));
  paint(near, fillPolygon(scalePolygon(torso, 1.6), width, height));
  paint(near, fillPolygon(outlineBust(face, shoulderWidth, boxAround(torso)), width, height));
  for (const [from, to, surely, maybe] of BONES) {
    const start = joints[from];
    const end = joints[to] ?? (from.endsWith('Hip') && start ? { x: start.x, y: height } : undefined);
    if (!start || !end) continue;
    paint(sure, fillPolygon(outlineBone(start, end, surely * shoulderWidth, 0), width, height));
    paint(near, fillPolygon(outlineBone(start, end, maybe * shoulderWidth, maybe * shoulderWidth), width, height));
  }
  return sure.map((isSure, i) => {
    if (isSure) return SEED.foreground;
    return near[i] ? SEED.probablyBackground : SEED.background;
  });
}

const SAME_WALL = 3.5; // Lab units
const SMALL_GAP = 0.02; // of the figure

/**
 * Opens the small gaps under arms and beside hands that look just like the wall: their colour is also the clothes', so only their place
 * and size speak for a gap. Larger pieces stay: a shirt may have the wall's colour.
 */
function openGaps(picture: Picture, lab: LabPlanes, mask: Uint8Array, zone: Uint8Array): Uint8Array {
  if (!zone.includes(1)) return mask;
  const { width, height } = picture;
  const unlike = measureUnlikeWall(picture, invert(dilate(mask, width, height, 2)), 0, lab);
  const wall = mask.map((value, i) => (value && zone[i] && unlike[i]! < SAME_WALL ? 1 : 0));
  const out = mask.slice();
  const most = SMALL_GAP * countOnes(mask);
  for (const { pixels } of findRegions(open(wall, width, height, 1.5), width, height)) {
    if (pixels.length < most) for (const i of pixels) out[i] = 0;
  }
  return out;
}

const PLAIN_WALL = 5; // Lab units within which four fifths of a plain wall stay

/** Between each arm and the body, and round the hands. */
function markGaps({ width, height }: Picture, { joints, shoulderWidth }: Pose): Uint8Array {
  const zone = new Uint8Array(width * height);
  const sides = [
    [joints.leftShoulder, joints.leftElbow, joints.leftWrist, joints.leftHip],
    [joints.rightShoulder, joints.rightElbow, joints.rightWrist, joints.rightHip],
  ];
  for (const [shoulder, elbow, wrist, hip] of sides) {
    if (!shoulder || !elbow || !wrist) continue;
    const start = { x: shoulder.x + 0.4 * (elbow.x - shoulder.x), y: shoulder.y + 0.4 * (elbow.y - shoulder.y) };
    const tip = { x: wrist.x + 0.5 * (wrist.x - elbow.x), y: wrist.y + 0.5 * (wrist.y - elbow.y) };
    const inner = hip ?? { x: shoulder.x, y: wrist.y };
    paint(zone, fillPolygon([start, elbow, wrist, tip, { x: inner.x, y: tip.y }, inner], width, height));
    paint(zone, fillPolygon(outlineBone(wrist, tip, 0.25 * shoulderWidth, 0), width, height));
  }
  return zone;
}

/** Before a plain wall, whatever may be the person and is unlike the wall begins as the person: hair, above all. */
function guessByWall(picture: Picture, lab: LabPlanes, seeds: Uint8Array): Uint8Array {
  const wall = seeds.map((seed) => (seed === SEED.background ? 1 : 0));
  const unlike = measureUnlikeWall(picture, wall, 0, lab);
  const noise = unlike.filter((_, i) => wall[i]).sort();
  const usual = noise[Math.floor(0.8 * noise.length)] ?? Infinity;
  if (usual > PLAIN_WALL) return seeds;
  const limit = Math.max(8, 2.5 * usual);
  return seeds.map((seed, i) =>
    seed === SEED.probablyBackground && unlike[i]! > limit ? SEED.probablyForeground : seed,
  );
}

function paint(mask: Uint8Array, shape: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) if (shape[i]) mask[i] = 1;
}

/** Shoulders to hips; hips out of sight are taken to be one and a half shoulder widths down. */
export function outlineTorso(joints: Body['joints'], shoulderWidth: number, height: number): Point[] {
  const { leftShoulder, rightShoulder, leftHip, rightHip } = joints;
  if (!leftShoulder || !rightShoulder) return [];
  const below = (point: Point) => ({ x: point.x, y: Math.min(height, point.y + 1.5 * shoulderWidth) });
  return [rightShoulder, leftShoulder, leftHip ?? below(leftShoulder), rightHip ?? below(rightShoulder)];
}

/** From the ears down: wherever shoulders can be. */
function outlineBust(face: Face, shoulderWidth: number, torso: Box): Point[] {
  const head = boxAround(face.points);
  const middle = head.left + head.width / 2;
  const top = head.top + 0.8 * head.height;
  const bottom = torso.top + torso.height;
  return [
    { x: middle - head.width, y: top },
    { x: middle + head.width, y: top },
    { x: middle + 0.95 * shoulderWidth, y: torso.top },
    { x: middle + 0.95 * shoulderWidth, y: bottom },
    { x: middle - 0.95 * shoulderWidth, y: bottom },
    { x: middle - 0.95 * shoulderWidth, y: torso.top },
  ];
}

/** A bar along a bone, `beyond` pixels longer at its end. */
export function outlineBone(start: Point, end: Point, halfWidth: number, beyond: number): Point[] {
  const length = Math.max(1, Math.hypot(end.x - start.x, end.y - start.y));
  const ux = (end.x - start.x) / length;
  const uy = (end.y - start.y) / length;
  const tip = { x: end.x + ux * beyond, y: end.y + uy * beyond };
  return [
    { x: start.x - uy * halfWidth, y: start.y + ux * halfWidth },
    { x: tip.x - uy * halfWidth, y: tip.y + ux * halfWidth },
    { x: tip.x + uy * halfWidth, y: tip.y - ux * halfWidth },
    { x: start.x + uy * halfWidth, y: start.y - ux * halfWidth },
  ];
}

/** The largest piece, without pinholes; openings between arm and body stay open. */
function keepFigure(mask: Uint8Array, width: number, height: number): Uint8Array {
  const [largest] = findRegions(mask, width, height).sort((one, other) => other.pixels.length - one.pixels.length);
  const out = new Uint8Array(mask.length);
  if (!largest) return out;
  for (const i of largest.pixels) out[i] = 1;
  const filled = fillHoles(out, width, height);
  for (const hole of findRegions(out, width, height, 0)) {
    const isOpening = !hole.touchesBorder && hole.pixels.length > 0.004 * largest.pixels.length;
    if (isOpening) for (const i of hole.pixels) filled[i] = 0;
  }
  return filled;
}
