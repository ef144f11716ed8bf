import type { Plane, Rgb } from '../pixels/plane.ts';
import type { Marks, ShareBox } from './marks.ts';

export type Report = (percent: number, message: string) => Promise<void>;

/** The product cannot be told from its background without a person's help. */
export class UnclearProduct extends Error {
  override readonly name = 'UnclearProduct';
  /** Around what it may be; undefined where nothing was found. */
  readonly box: ShareBox | undefined;

  constructor(reason: string, box?: ShareBox) {
    super(reason);
    this.box = box;
  }
}

/** Where the product is in a photo, and whether that is sure enough to be sold without a person's yes. */
export type Subject = {
  /** 0..1 a pixel of the picture, to within `grain` pixels of the outline. */
  alpha: Plane;
  /** Pixels of the picture that one pixel of the network covers. */
  grain: number;
  /** False where a person has to say whether it is this. */
  isSure: boolean;
};

export type Matting = {
  /** What would be taken for the product. */
  look: (picture: Rgb, marks?: Marks) => Promise<Subject>;
  /** The product's alpha 0..1 with its exact outline, of the picture's size. @throws UnclearProduct */
  find: (picture: Rgb, report: Report, marks?: Marks) => Promise<Plane>;
};
