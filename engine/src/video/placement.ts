import type { Box, Point, Size } from '../pixels/plane.ts';
import type { Subject } from './subject.ts';

/** Of the frame: most of it that the product fills at rest, as the camera may come closer. */
const MAX = { width: 0.7, height: 0.72 };
/** The same for a product that the photo cuts off at a side or above. */
const MAX_CUT = { width: 1, height: 0.95 };
const SAME_SHAPE = 0.02;

/**
 * Places the picture on the frame, sides even, keeping its aspect ratio. A frame of the same ratio shows all of it. In
 * any other, it grows until the product fills its part of the frame, and the rest is extended.
 */
export function placePicture(picture: Size, subject: Subject | undefined, frame: Size): Box {
  const middle = { x: picture.width / 2, y: picture.height / 2 };
  const contain = Math.min(frame.width / picture.width, frame.height / picture.height);
  const cover = Math.max(frame.width / picture.width, frame.height / picture.height);
  if (cover / contain < 1 + SAME_SHAPE) return lay(picture, cover, frame, middle);
  if (!subject) return lay(picture, contain, frame, middle);
  const { box, canMove, isCutBelow } = subject;
  const max = canMove ? MAX : MAX_CUT;
  const fit = Math.min(
    (max.width * frame.width) / (box.right - box.left),
    (max.height * frame.height) / (box.bottom - box.top),
  );
  const centre = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const pictureBox = lay(picture, Math.max(contain, Math.min(cover, fit)), frame, centre);
  return isCutBelow ? { ...pictureBox, top: frame.height - pictureBox.height } : pictureBox; // nothing is below the cut
}

function lay(picture: Size, scale: number, frame: Size, centre: Point): Box {
  const width = even(picture.width * scale);
  const height = even(picture.height * scale);
  return {
    width,
    height,
    left: placeAlong(width, frame.width, centre.x * scale),
    top: placeAlong(height, frame.height, centre.y * scale),
  };
}

/** Centres the product by cropping a longer picture; moves a shorter one half way. */
function placeAlong(length: number, frame: number, centre: number): number {
  const wanted = frame / 2 - centre;
  if (length >= frame) return even(Math.min(0, Math.max(frame - length, wanted)));
  const balanced = (frame - length) / 2;
  return even(Math.min(frame - length, Math.max(0, (wanted + balanced) / 2)));
}

function even(value: number): number {
  return 2 * Math.round(value / 2);
}
