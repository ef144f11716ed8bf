/** A small stage for clips: a box of one colour on a table before a wall. */
import { makeCanvas, type Canvas, type Effect, type Moment } from '../src/video/canvas.ts';
import { makePainter } from '../src/video/draw.ts';
import { placePicture } from '../src/video/placement.ts';
import { AT_REST, type StagePose } from '../src/video/pose.ts';
import { buildStage, type Stage } from '../src/video/stage.ts';
import type { Subject } from '../src/video/subject.ts';
import type { Rgb, Size } from '../src/pixels/plane.ts';
import { drawPlane, drawRgb } from './draw.ts';

export const STAGE = { width: 96, height: 96 };
/** The product's box in the picture; `right` and `bottom` are the first pixels outside. */
export const BOX = { left: 36, top: 30, right: 60, bottom: 76 };

const isProduct = (x: number, y: number) => x >= BOX.left && x < BOX.right && y >= BOX.top && y < BOX.bottom;

/** A striped wall, a table from row 60 on, a red box with a lid. */
export const PHOTO: Rgb = drawRgb(STAGE, (x, y) => {
  if (isProduct(x, y)) return y < 36 ? [90, 30, 30] : [190, 60, 50];
  if (y >= 60) return [150, 120 + (x % 8), 90];
  return x % 12 < 2 ? [200, 205, 210] : [225, 228, 232];
});

export const SUBJECT: Subject = {
  alpha: drawPlane(STAGE, (x, y) => (isProduct(x, y) ? 1 : 0)),
  colours: PHOTO.data,
  box: BOX,
  canMove: true,
  isCutBelow: false,
};

export function makeStage(frame: Size = STAGE, subject: Subject | undefined = SUBJECT): Promise<Stage> {
  return buildStage(PHOTO, subject, placePicture(PHOTO, subject, frame), frame);
}

/** The same photo without a detected product. */
export function makeFlatStage(frame: Size = STAGE): Promise<Stage> {
  return buildStage(PHOTO, undefined, placePicture(PHOTO, undefined, frame), frame);
}

/** A moment in a film of four seconds. */
export function momentAt(seconds: number, pose: Partial<StagePose> = {}): Moment {
  return { pose: { ...AT_REST, ...pose }, t: seconds / 4, seconds };
}

/** Paints the frame of one moment on a new canvas. */
export function paintFrame(stage: Stage, moment: Moment, effects: Effect[] = []): Canvas {
  const painter = makePainter(stage);
  painter.paint(moment, effects);
  return painter.canvas;
}

/** A uniform grey frame to draw on. */
export function makeGrey(luma = 80, { width, height }: Size = STAGE): Canvas {
  const canvas = makeCanvas(width, height);
  canvas.y.fill(luma);
  canvas.u.fill(128);
  canvas.v.fill(128);
  return canvas;
}
