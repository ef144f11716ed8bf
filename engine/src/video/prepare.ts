import sharp from 'sharp';
import type { Decoded } from '../pixels/decode.ts';
import type { Box, Size } from '../pixels/plane.ts';

/** No layer is wider than this: beyond it a video of at most 1920 pixels gains nothing. */
const MOST_SIDE = 2048;

/**
 * Transparent parts become white, as shops show them; large pictures are made smaller. The alpha stays as the matte.
 */
export async function flattenPicture(picture: Decoded): Promise<Decoded> {
  const { width, height } = picture;
  const scale = Math.min(1, MOST_SIDE / Math.max(width, height));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return show(layOnWhite(picture), { left: 0, top: 0, width, height }, size);
}

/** The centre square of a picture at `side` pixels, on white. */
export async function cropSquare(picture: Decoded, side: number): Promise<Decoded> {
  const { width, height } = picture;
  const length = Math.min(width, height);
  const box = { left: (width - length) >> 1, top: (height - length) >> 1, width: length, height: length };
  return show(layOnWhite(picture), box, { width: side, height: side });
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

/** The part of a picture in a box, at a size. */
async function show(picture: Decoded, box: Box, { width, height }: Size): Promise<Decoded> {
  if (picture.width === width && picture.height === height) return picture;
  const cut = async (values: Uint8Array, channels: 1 | 3) => {
    const image = sharp(values, { raw: { width: picture.width, height: picture.height, channels } });
    const sized = image.extract(box).resize(width, height, { fit: 'fill' });
    return new Uint8Array(await (channels === 1 ? sized.toColourspace('b-w') : sized).raw().toBuffer());
  };
  const data = await cut(picture.data, 3);
  return { width, height, data, ...(picture.alpha && { alpha: await cut(picture.alpha, 1) }) };
}
