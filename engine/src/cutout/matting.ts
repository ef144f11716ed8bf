import type { Plane, Rgb } from '../pixels/plane.ts';
import type { Marks, ShareBox } from './marks.ts';

export type Report = (percent: number, message: string) => Promise<void>;

/** The product cannot be told from its background without a person's help. */
export class UnclearProduct extends Error {
  override readonly name = 'UnclearProduct';
  /** Bounding box of the candidate; undefined if nothing was found. */
  readonly box: ShareBox | undefined;

  constructor(reason: string, box?: ShareBox) {
    super(reason);
    this.box = box;
  }
}

/** Where the product is in a photo, and whether that is certain enough without the user's confirmation. */
export type Subject = {
  /** 0..1, of the picture's size; its outline is exact to `scale` pixels. */
  alpha: Plane;
  /** Pixels of the picture per pixel of the network. */
  scale: number;
  /** False if the user has to confirm it. */
  isSure: boolean;
};

export type Matting = {
  /** Detects the product. */
  detect: (picture: Rgb, marks?: Marks) => Promise<Subject>;
  /** Returns alpha 0..1 of the picture's size, with a refined outline. @throws UnclearProduct */
  find: (picture: Rgb, report: Report, marks?: Marks) => Promise<Plane>;
};
