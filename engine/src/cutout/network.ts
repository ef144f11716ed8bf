import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import type { Card } from './card.ts';

/** How pictures are brought to other sizes: in the engine by sharp, in a browser by its own means. */
export type Resizing = {
  /** So that the long side has at most so many pixels. */
  shrink: (picture: Rgb, longSide: number) => Promise<Rgb>;
  /** To any size and shape. */
  squeeze: (picture: Rgb, size: Size) => Promise<Rgb>;
};

/** Our own cut-out network, or another of its kind, with its card. */
export type Network = Resizing & {
  card: Card;
  /**
   * `image` and `marks`: three planes of `size`, values 0..1 (red, green, blue; box, keep, drop). Both sides are
   * multiples of 32. Gives the cover 0..1. @throws BadNetwork
   */
  infer: (image: Float32Array, marks: Float32Array, size: Size) => Promise<Plane>;
};
