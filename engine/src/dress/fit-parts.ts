/** What the body and the sleeves of a fit have in common. */
import { softBlur } from '../pixels/blur.ts';
import { dilate, keepWhere, threshold } from '../pixels/mask.ts';
import { toPlane, type Mask, type Plane } from '../pixels/plane.ts';
import type { Garment } from './garment.ts';
import type { Wearer } from './wearer.ts';

/** Planes of the wearer's size. */
export type Fit = {
  /** Place in the garment's picture. */
  x: Float32Array;
  y: Float32Array;
  /** 0..1, how much of the pixel the new garment hides. */
  cover: Float32Array;
  /** 0..1, where the new neckline bares skin that the old clothes hid. */
  bare: Float32Array;
  /** 0..1, where the old clothes stay to be seen, under a jacket worn open. */
  keep: Float32Array;
  /** 0..1, where the old clothes were wider than the new ones and what is behind them shows. */
  gone: Float32Array;
};

export const INSET = 3; // pixels of the garment: its outermost colours are mixed with the table

/** How the garment's body lies on the wearer's. */
export type BodyPlan = {
  /** Wearer pixels per garment pixel. */
  scale: number;
  /** Rows of the wearer at which the garment's shoulders and (by its own length) its hem lie. */
  top: number;
  hem: number;
  left: Float32Array;
  right: Float32Array;
  /** Row of the wearer to row of the garment. */
  toGarment: (y: number) => number;
  /** First row of wearer and garment per column, without their jags. */
  shoulders: Float32Array;
  flatShoulders: Float32Array;
  isWornOpen: boolean;
  armpit: number;
};

/** What every pixel of a fit is decided by, and the fit that it goes into. */
export type Fitting = { fit: Fit; wearer: Wearer; garment: Garment; body: BodyPlan; shapes: Shapes };

/** Soft outlines that every part of the fit asks for. */
type Shapes = {
  solid: Float32Array;
  open: Float32Array;
  /** The clothes worn now, with the rim that their edge has coloured. */
  oldTop: Float32Array;
  figure: Float32Array;
  /** Hands and arms with a rim: never painted over by what hangs below the hem. */
  hands: Uint8Array;
};

/** The masks of wearer and garment as soft cover, 0..1 per pixel of the wearer's picture and the garment's. */
export function softenShapes({ skin, top, figure }: Wearer, { mask, opening }: Garment): Shapes {
  const solid = keepWhere(mask, (i) => !opening.data[i]);
  const soften = (shape: Mask, sigma: number) => softBlur(toPlane(shape), sigma).data;
  const widen = (plane: Plane, by: number) => soften(dilate(threshold(plane, 0.02), by), 0.8);
  return {
    oldTop: widen(top, 2.5),
    figure: widen(figure, 4),
    solid: soften(solid, 1),
    open: soften(opening, 1),
    hands: dilate(skin, 1.5).data,
  };
}
