/**
 * Camera moves and moves of the product. Each starts at the photo's view, except the pull-out, which ends there. Signs
 * refer to the picture: if the camera pans left, the product moves right.
 */
import { makeRandom } from '../pixels/random.ts';
import type { CameraName } from '../words/motion.ts';
import { AT_REST, type StagePose } from './pose.ts';

/** Units of a move. */
export type Measures = {
  /** Pixels: side of a square of the frame's area. */
  unit: number;
  seed: number;
};

/** A move: shifts in units, the camera's approach, and rotation, each at full extent. */
export type Move = {
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

/** Ease in and out. */
export function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

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
