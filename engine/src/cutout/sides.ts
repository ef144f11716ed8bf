/** What the network is sure of, and the colours of either side. */
import { mapBytes } from '../pixels/map.ts';
import { learnMixture, startMixture, type Mixture } from '../pixels/mixture.ts';
import type { Mask, Plane, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';

const SURE = 0.9; // cover from which colours are learnt, and 1 - SURE down to which those of the background are
const UNKNOWN = 2;

export type Learnt = {
  /** What the network said. */
  said: Plane;
  /** 1 where it is sure of the product, 0 where it is of the ground, else another value. */
  sides: Mask;
  background: Mixture;
  product: Mixture;
};

/** What the network said at the picture's size, and the colours of what it is sure of; undefined without one side. */
export function learnSides(picture: Rgb, alpha: Plane): Learnt | undefined {
  const said = resizePlane(alpha, picture);
  const data = mapBytes(said.data, (cover) => (cover >= SURE ? 1 : cover <= 1 - SURE ? 0 : UNKNOWN));
  if (!data.includes(0) || !data.includes(1)) return undefined;
  const sides = { ...said, data };
  const learn = (side: number) => learnMixture(picture, sides, side, startMixture(picture, sides, side));
  return { said, sides, background: learn(0), product: learn(1) };
}
