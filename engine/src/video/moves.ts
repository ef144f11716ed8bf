/**
 * Camera moves, and what the product does by itself. Every one starts where the photo was taken, except the pull-out,
 * which ends there; signs are those of the picture: a camera that pans left sees the product go right.
 */
import { makeRandom } from '../pixels/random.ts';
import type { CameraName } from '../words/motion.ts';
import type { StagePose } from './pose.ts';

/** What a move is measured by. */
export type Measures = {
  /** Pixels: the side of a square as large as the frame. */
  unit: number;
  seed: number;
};

/** The pose at `t`, 0 at the first and 1 at the last frame. */
export type Move = (t: number, measures: Measures) => Partial<StagePose>;

/** Starts and ends at rest. */
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

/** Once around and a little closer, back where it began: its last frame is followed by its first without a jump. */
export function loopMove(t: number, { unit, seed }: Measures): Partial<StagePose> {
  return { x: sideOf(seed) * 0.015 * unit * Math.sin(2 * Math.PI * t), push: 0.022 * (1 - Math.cos(2 * Math.PI * t)) };
}

/** The camera goes a little way around, and sees a little more of that side. */
function arc(t: number, { unit }: Measures, side: number): Partial<StagePose> {
  const way = Math.sin(1.5 * Math.PI * ease(t));
  return { x: side * 0.045 * unit * way, push: 0.05 * ease(t), yaw: side * ARC * way };
}

const ARC = Math.sin((10 * Math.PI) / 180);
const TURN = Math.sin((15 * Math.PI) / 180); // farther, and the side that comes round would have to be known

/** To one side, to the other, and back. */
function turn(t: number, { unit, seed }: Measures): Partial<StagePose> {
  const way = sideOf(seed) * Math.sin(2 * Math.PI * ease(t));
  return { x: 0.012 * unit * way, yaw: TURN * way, push: 0.03 * ease(t) };
}

/** The front comes round to one side and stays there; the wall behind goes with the camera's eye. */
function turnTo(t: number, { unit }: Measures, side: number): Partial<StagePose> {
  return { x: side * 0.024 * unit * ease(t), yaw: side * TURN * ease(t), push: 0.03 * ease(t) };
}

/** -1 or 1. */
function sideOf(seed: number): number {
  return makeRandom(seed)() < 0.5 ? -1 : 1;
}
