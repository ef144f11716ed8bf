import { floodEvenBorder } from '../cutout/even-border.ts';
import { WORK_SIDE } from '../cutout/find-product.ts';
import { resizeBytes, shrinkRgb, type Decoded } from '../pixels/decode.ts';
import { clampBox, cutRgb, scaleSize } from '../pixels/plane.ts';

/** No layer is wider than this: beyond it a video of at most 1920 pixels gains nothing. */
const MOST_SIDE = 2048;

/**
 * Transparent parts become white, as shops show them; large pictures are made smaller. The alpha stays as the matte.
 */
export async function flattenPicture(picture: Decoded): Promise<Decoded> {
  const { width, height } = picture;
  const scale = Math.min(1, MOST_SIDE / Math.max(width, height));
  if (scale === 1) return layOnWhite(picture);
  const size = scaleSize(picture, scale);
  const alpha = picture.alpha && (await resizeBytes(picture.alpha, picture, 1, size));
  return { ...size, data: await resizeBytes(layOnWhite(picture).data, picture, 3, size), ...(alpha && { alpha }) };
}

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

function layOnWhite(picture: Decoded): Decoded {
  const { data, alpha } = picture;
  if (!alpha) return picture;
  const flat = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 1) {
    const cover = alpha[Math.floor(i / 3)]! / 255;
    flat[i] = Math.round(data[i]! * cover + 255 * (1 - cover));
  }
  return { ...picture, data: flat };
}
