/** Frames a headshot: head and shoulders in the portrait's aspect ratio, within what the photo shows. */
import type { Box, Plane, Size } from '../pixels/plane.ts';
import type { Face } from './faces.ts';

const TALL = { preferred: 3.1, min: 1.75 }; // face heights: the head takes two fifths of the usual frame
const STEP = 0.95;
const HEADROOM = { preferred: 0.13, max: 0.16 }; // of the frame's height, above the hair; with more, the head is low
const LOWEST_CHIN = 0.79; // of the frame's height: a lower head has no room for shoulders
const ASIDE = 0.14; // of the frame's width: the face may be off-centre by it, rather than be framed closer
const TOUCHES = 0.012; // of the frame's height: that much of a person along the photo's edge counts as cut off

/**
 * The frame in pixels of the picture. It may extend beyond edges that the person does not touch. Undefined if the photo
 * is cropped too closely.
 * @param alpha 0..1, the person
 * @param shape the frame has its aspect ratio
 */
export function chooseFrame({ box }: Face, alpha: Plane, shape: Size): Box | undefined {
  const crown = findCrown(box, alpha);
  for (let tall = TALL.preferred; tall >= TALL.min; tall *= STEP) {
    const frame = placeFrame(box, crown, tall * box.height, shape.width / shape.height, alpha);
    if (frame && fits(frame, alpha)) return frame;
  }
  return undefined;
}

/** True if the photo extends far enough below the chin for the closest frame. */
export const showsBelow = ({ box }: Face, { height }: Size): boolean =>
  height - box.top - box.height >= (1 - LOWEST_CHIN) * TALL.min * box.height;

/** The first row of the person above the face. */
function findCrown({ left, width }: Box, { data, width: wide, height }: Plane): number {
  const [from, to] = [Math.max(0, Math.round(left)), Math.min(wide, Math.round(left + width))];
  for (let y = 0; y < height; y += 1) {
    if (data.subarray(y * wide + from, y * wide + to).some((value) => value > 0.5)) return y;
  }
  return 0;
}

function placeFrame(face: Box, crown: number, height: number, aspect: number, photo: Size): Box | undefined {
  const width = aspect * height;
  const top = Math.min(crown - HEADROOM.preferred * height, photo.height - height);
  if (crown - top > HEADROOM.max * height || face.top + face.height - top > LOWEST_CHIN * height) return undefined;
  const middle = face.left + face.width / 2 - width / 2;
  const reach = ASIDE * width;
  const left =
    middle < 0 ? Math.min(0, middle + reach) : Math.max(Math.min(middle, photo.width - width), middle - reach);
  return { left, top, width, height };
}

/** True if the person touches no edge of the photo that lies inside the frame. */
function fits({ left, top, width, height }: Box, { data, width: wide, height: deep }: Plane): boolean {
  const isSet = (x: number, y: number) => data[y * wide + x]! > 0.3;
  let [atLeft, atRight, atTop] = [0, 0, 0];
  for (let y = Math.max(0, Math.round(top)); y < Math.min(deep, top + height); y += 1) {
    if (left < -1 && isSet(1, y)) atLeft += 1;
    if (left + width > wide + 1 && isSet(wide - 2, y)) atRight += 1;
  }
  for (let x = Math.max(0, Math.round(left)); x < Math.min(wide, left + width); x += 1) {
    if (top < -1 && isSet(x, 1)) atTop += 1;
  }
  return Math.max(atLeft, atRight, atTop) <= TOUCHES * height;
}
