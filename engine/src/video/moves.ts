/**
 * Camera moves and moves of the product. Each starts at the photo's view, except the pull-out, which ends there. Signs
 * refer to the picture: if the camera pans left, the product moves right.
 */
import { makeRandom } from '../pixels/random.ts';
import type { CameraName } from '../words/motion.ts';
import type { StagePose } from './pose.ts';

/** Units of a move. */
export type Measures = {
  /** Pixels: side of a square of the frame's area. */
  unit: number;
  seed: number;
};

/** The pose at `t`, 0 at the first and 1 at the last frame. */
export type Move = (t: number, measures: Measures) => Partial<StagePose>;

/** Ease in and out. */
export function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

export const cameras = {
  'push-in': (t, { unit, seed }) => ({ push: 0.17 * ease(t), x: sideOf(seed) * 0.012 * unit * ease(t) }),
  'pull-out': (t, { unit, seed }) => ({ push: 0.17 * ease(1 - t), x: sideOf(seed) * 0.012 * unit * ease(1 - t) }),
  'orbit-left': (t, measures) => arc(t, measures, 1),
  'orbit-right': (t, measures) => arc(t, measures, -1),
  'pan-left': (t, { unit }) => ({ x: 0.06 * unit * ease(t) }),
  'pan-right': (t, { unit }) => ({ x: -0.06 * unit * ease(t) }),
  'crane-up': (t, { unit }) => ({ y: 0.04 * unit * ease(t), push: 0.02 * ease(t) }),
  'crane-down': (t, { unit }) => ({ y: -0.04 * unit * ease(t), push: 0.02 * ease(t) }),
  turn,
  'turn-left': (t, measures) => turnTo(t, measures, -1),
  'turn-right': (t, measures) => turnTo(t, measures, 1),
  parallax: (t, { unit, seed }) => ({
    push: 0.07 * ease(t),
    x: sideOf(seed) * 0.034 * unit * ease(t),
    y: -0.012 * unit * ease(t),
  }),
  still: () => ({}),
} satisfies Record<CameraName, Move>;

/** A seamless loop: once around and slightly closer, back to the start. */
export function loopMove(t: number, { unit, seed }: Measures): Partial<StagePose> {
  return { x: sideOf(seed) * 0.015 * unit * Math.sin(2 * Math.PI * t), push: 0.022 * (1 - Math.cos(2 * Math.PI * t)) };
}

/** The camera orbits slightly and shows a little more of that side. */
function arc(t: number, { unit }: Measures, side: number): Partial<StagePose> {
  const way = Math.sin(1.5 * Math.PI * ease(t));
  return { x: side * 0.045 * unit * way, push: 0.05 * ease(t), yaw: side * ARC * way };
}

const ARC = Math.sin((10 * Math.PI) / 180);
const TURN = Math.sin((15 * Math.PI) / 180); // a larger turn would show a hidden side

/** Turns to one side, to the other, and back. */
function turn(t: number, { unit, seed }: Measures): Partial<StagePose> {
  const way = sideOf(seed) * Math.sin(2 * Math.PI * ease(t));
  return { x: 0.012 * unit * way, yaw: TURN * way, push: 0.03 * ease(t) };
}

/** The product turns to one side and stays there; the wall follows the camera. */
function turnTo(t: number, { unit }: Measures, side: number): Partial<StagePose> {
  return { x: side * 0.024 * unit * ease(t), yaw: side * TURN * ease(t), push: 0.03 * ease(t) };
}

/** -1 or 1. */
function sideOf(seed: number): number {
  return makeRandom(seed)() < 0.5 ? -1 : 1;
}
