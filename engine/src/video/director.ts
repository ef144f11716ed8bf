import type { Effect } from './canvas.ts';
import { makeSweep } from './light.ts';
import { smoothStep } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import type { CameraName, EffectName, MotionPlan } from '../words/motion.ts';
import { particleKinds } from './particle-kinds.ts';
import { makeParticles } from './particles.ts';
import { AT_REST, findRoom, scalePose, type StagePose } from './pose.ts';
import type { Stage } from './stage.ts';

/** The script: pose and effects of each frame. */
export type Script = { poses: StagePose[]; effects: Effect[] };

const TOO_TIGHT = 0.45; // remaining share of a move below which the camera first steps back
const STEP_BACK = 0.09;

/** Plans `frames` frames in which the product always stays inside the frame. */
export function direct(stage: Stage, plan: MotionPlan, frames: number, seed: number): Script {
  const measures = measure(stage, seed);
  const move = cameras[plan.camera];
  const poses = Array.from({ length: frames }, (_, n) => {
    const t = n / (frames - 1);
    return scalePose({ ...poseAt(move, t, measures), ...(plan.keepsSize && { push: 0 }) }, plan.pace);
  });
  return {
    poses: keepInFrame(stage, poses, plan.keepsSize),
    effects: plan.effects.map((name) => makeEffect(name, stage, seed)),
  };
}

/** Makes an effect that words request: particles of a kind, or a sweep of light. */
export function makeEffect(name: EffectName, stage: Stage, seed: number): Effect {
  return name === 'sweep' ? makeSweep() : makeParticles(particleKinds[name], stage, seed);
}

/** Plans a seamless loop of `frames` frames: the first frame follows the last one. */
export function directLoop(stage: Stage, frames: number, seed: number): Script {
  const measures = measure(stage, seed);
  const poses = Array.from({ length: frames }, (_, n) => loopPoseAt(n / frames, measures));
  return { poses: scaleAll(poses, Math.max(MIN_LOOP, findRoom(stage, poses))), effects: [] };
}

const MIN_LOOP = 0.4; // least share of the move: a product that fills its photo may touch the frame

function measure({ frame }: Stage, seed: number): Measures {
  return { unit: Math.sqrt(frame.width * frame.height), seed };
}

/** If the product lacks room for the move, the camera steps back meanwhile, or moves less. */
function keepInFrame(stage: Stage, poses: StagePose[], keepsSize = false): StagePose[] {
  const room = findRoom(stage, poses);
  if (room >= TOO_TIGHT || keepsSize) return scaleAll(poses, room);
  const steppedBack = poses.map((pose, n) => ({ ...pose, push: -STEP_BACK * ease(n / (poses.length - 1)) }));
  return scaleAll(steppedBack, Math.max(room, findRoom(stage, steppedBack)));
}

function scaleAll(poses: StagePose[], share: number): StagePose[] {
  return poses.map((pose) => scalePose(pose, share));
}

/** Units of a move. */
export type Measures = {
  /** Pixels: side of a square of the frame's area. */
  unit: number;
  seed: number;
};

/**
 * A move: shifts in units, the camera's approach, and rotation, each at full extent. Each starts at the photo's view,
 * except the pull-out, which ends there. Signs refer to the picture: if the camera pans left, the product moves right.
 */
type Move = {
  x?: number;
  y?: number;
  push?: number;
  yawDeg?: number;
  /** Of x and yaw; the seed decides if it is missing. */
  side?: 1 | -1;
  /** Of x and yaw, as a function of time; by default `ease`, which all else follows. */
  way?: (t: number) => number;
  isReversed?: true;
};

const ease = (t: number) => smoothStep(0, 1, t);

/** To one side, and back beyond the start. */
const arc = (t: number) => Math.sin(1.5 * Math.PI * ease(t));
/** To one side, to the other, and back. */
const swing = (t: number) => Math.sin(2 * Math.PI * ease(t));

/** Rotations of more than 15 degrees would show a hidden side. */
export const cameras: Readonly<Record<CameraName, Move>> = {
  'push-in': { x: 0.012, push: 0.17 },
  'pull-out': { x: 0.012, push: 0.17, isReversed: true },
  'orbit-left': { x: 0.045, push: 0.05, yawDeg: 10, side: 1, way: arc },
  'orbit-right': { x: 0.045, push: 0.05, yawDeg: 10, side: -1, way: arc },
  'pan-left': { x: 0.06, side: 1 },
  'pan-right': { x: 0.06, side: -1 },
  'crane-up': { y: 0.04, push: 0.02 },
  'crane-down': { y: -0.04, push: 0.02 },
  turn: { x: 0.012, push: 0.03, yawDeg: 15, way: swing },
  'turn-left': { x: 0.024, push: 0.03, yawDeg: 15, side: -1 },
  'turn-right': { x: 0.024, push: 0.03, yawDeg: 15, side: 1 },
  parallax: { x: 0.034, y: -0.012, push: 0.07 },
  still: {},
};

/** The pose of a move at `t`, 0 at the first and 1 at the last frame. */
export function poseAt(move: Move, t: number, { unit, seed }: Measures): StagePose {
  const { x = 0, y = 0, push = 0, yawDeg = 0, side = sideOf(seed), way = ease, isReversed } = move;
  const time = isReversed ? 1 - t : t;
  const along = ease(time);
  const across = side * way(time);
  return {
    x: x * unit * across,
    y: y * unit * along,
    push: push * along,
    yaw: Math.sin((yawDeg * Math.PI) / 180) * across,
  };
}

/** A seamless loop: once around and slightly closer, back to the start. */
export function loopPoseAt(t: number, { unit, seed }: Measures): StagePose {
  const turn = 2 * Math.PI * t;
  return { ...AT_REST, x: sideOf(seed) * 0.015 * unit * Math.sin(turn), push: 0.022 * (1 - Math.cos(turn)) };
}

/** -1 or 1. */
function sideOf(seed: number): 1 | -1 {
  return makeRandom(seed)() < 0.5 ? -1 : 1;
}
