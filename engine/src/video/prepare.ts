import { floodEvenBorder } from '../cutout/even-border.ts';
import { WORK_SIDE } from '../cutout/find-product.ts';
import { shrinkRgb, type Decoded } from '../pixels/decode.ts';
import { clampBox, cutRgb } from '../pixels/plane.ts';

/** No layer is wider than this: beyond it a video of at most 1920 pixels gains nothing. */
export const MOST_SIDE = 2048;

const DARK = 40; // of 255: the colour of a black frame
const SOFT = 4; // px of the small copy over which it ends, as JPEG makes it

/** Without a black frame around the photo, which would go on beyond its edge. */
export async function trimFrame(picture: Decoded): Promise<Decoded> {
  if (picture.alpha || Math.max(...picture.data.subarray(0, 3)) > DARK) return picture;
  const small = await shrinkRgb(picture, WORK_SIDE);
  const framed = floodEvenBorder(small)?.framed;
  if (!framed) return picture;
  const scale = picture.width / small.width;
  const box = {
    left: (framed.left + SOFT) * scale,
    top: (framed.top + SOFT) * scale,
    width: (framed.width - 2 * SOFT) * scale,
    height: (framed.height - 2 * SOFT) * scale,
  };
  return cutRgb(picture, clampBox(box, picture));
}
