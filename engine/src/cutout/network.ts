import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import type { Card } from './card.ts';

/** Our own cut-out network, or another of its kind, with its card. */
export type Network = {
  card: Card;
  /** A copy of any size and shape: in the engine by sharp, in a browser by its own means. */
  squeeze: (picture: Rgb, size: Size) => Promise<Rgb>;
  /**
   * `image` and `marks`: three planes of `size`, values 0..1 (red, green, blue; box, keep, drop). Both sides are
   * multiples of 32. Gives the cover 0..1. @throws BadNetwork
   */
  infer: (image: Float32Array, marks: Float32Array, size: Size) => Promise<Plane>;
};
