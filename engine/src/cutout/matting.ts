import type { Plane, Rgb } from '../pixels/plane.ts';
import { Refusal } from '../refusal.ts';
import type { Marks, ShareBox } from './marks.ts';

/** Receives the progress, 0-99. */
export type Report = (percent: number) => Promise<void>;

export const UNCLEAR_PRODUCT = 'We are not sure what the product is in this photo. Show us, or try another photo.';

/** The product cannot be told from its background without a person's help. */
export class UnclearProduct extends Refusal {
  override readonly name = 'UnclearProduct';

  /** @param box the candidate's bounding box; undefined if nothing was found */
  constructor(reason: string, box?: ShareBox) {
    super(UNCLEAR_PRODUCT, { cause: reason, candidate: { box: box ?? null } });
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
