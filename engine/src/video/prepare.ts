import sharp from 'sharp';
import type { Decoded } from '../pixels/decode.ts';

/** No layer is wider than this: beyond it a video of at most 1920 pixels gains nothing. */
const MOST_SIDE = 2048;

/**
 * Transparent parts become white, as shops show them; large pictures are made smaller. The alpha stays as the matte.
 */
export async function flattenPicture(picture: Decoded): Promise<Decoded> {
  const scale = Math.min(1, MOST_SIDE / Math.max(picture.width, picture.height));
  return resize(layOnWhite(picture), Math.round(picture.width * scale), Math.round(picture.height * scale));
}

/** The centre square of a picture at `side` pixels, on white. */
export async function cropSquare(picture: Decoded, side: number): Promise<Decoded> {
  const { width, height, alpha } = picture;
  const length = Math.min(width, height);
  const left = (width - length) >> 1;
  const top = (height - length) >> 1;
  const cut = <T extends Uint8Array>(values: T, channels: number) => {
    const out = new Uint8Array(length * length * channels);
    for (let y = 0; y < length; y += 1) {
      const from = ((top + y) * width + left) * channels;
      out.set(values.subarray(from, from + length * channels), y * length * channels);
    }
    return out;
  };
  const square = {
    width: length,
    height: length,
    data: cut(layOnWhite(picture).data, 3),
    ...(alpha && { alpha: cut(alpha, 1) }),
  };
  return resize(square, side, side);
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

async function resize(picture: Decoded, width: number, height: number): Promise<Decoded> {
  if (picture.width === width && picture.height === height) return picture;
  const scale = async (values: Uint8Array, channels: 1 | 3) => {
    const image = sharp(values, { raw: { width: picture.width, height: picture.height, channels } });
    const sized = image.resize(width, height, { fit: 'fill' });
    return new Uint8Array(await (channels === 1 ? sized.toColourspace('b-w') : sized).raw().toBuffer());
  };
  const data = await scale(picture.data, 3);
  return { width, height, data, ...(picture.alpha && { alpha: await scale(picture.alpha, 1) }) };
}
