import type { Noise } from '../src/pixels/noise.ts';

/** Linear light of one point. */
export type Light = [number, number, number];

/** What a recipe may look at for one point; u and v run 0..1 over the picture, x and z over the floor in metres. */
export type Point = {
  u: number;
  v: number;
  x: number;
  z: number;
  noise: Noise;
  main: Light;
  second: Light;
};

/** A scene of noise and simple shapes: a wall and a floor. */
export type Recipe = {
  /** sRGB. */
  main: string;
  second: string;
  wall: (point: Point) => Light;
  floor: (point: Point) => Light;
  /** How far out of focus the wall is: sigma in pixels of the plate. */
  blur?: number;
  /** A wall that meets the floor in a line, instead of running into it like a paper sweep. */
  hasCorner?: true;
};
