import { floodEvenBorder } from '../cutout/even-border.ts';
import type { Decoded } from '../pixels/decode.ts';
import { clampBox, type Box } from '../pixels/plane.ts';

/** The most pixels of a layer: more do not improve a video of at most 1920 pixels. */
export const MAX_SIDE = 2048;

const DARK = 40; // of 255: brightest pixel of a black frame
const SOFT = 4; // px of the small copy: its soft edge in a JPEG

/** Crops a black frame, which would be extended beyond the picture; the whole picture if there is none. */
export function findWithinFrame(picture: Decoded, small: Decoded): Box {
  const { width, height } = picture;
  const isDark = !picture.alpha && Math.max(...picture.data.subarray(0, 3)) <= DARK;
  const framed = isDark ? floodEvenBorder(small)?.framed : undefined;
  if (!framed) return { left: 0, top: 0, width, height };
  const scale = picture.width / small.width;
  const box = {
    left: (framed.left + SOFT) * scale,
    top: (framed.top + SOFT) * scale,
    width: (framed.width - 2 * SOFT) * scale,
    height: (framed.height - 2 * SOFT) * scale,
  };
  return clampBox(box, picture);
}
