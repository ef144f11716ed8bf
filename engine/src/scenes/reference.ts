import sharp from 'sharp';
import { readPicture, shrinkRgb } from '../pixels/decode.ts';
import { bytesToHex } from './colours.ts';

/** A reference picture gives the scene its colours: the upper part the wall, the lowest part the surface. */
export async function borrowColours(path: string, field: string): Promise<{ wall: string; surface: string }> {
  const { width, height, data } = await shrinkRgb(await readPicture(path, field), 64);
  const mean = async (top: number, rows: number) => {
    const part = sharp(data, { raw: { width, height, channels: 3 } }).extract({ left: 0, top, width, height: rows });
    return bytesToHex([...(await part.resize(1, 1, { fit: 'fill', kernel: 'linear' }).raw().toBuffer())]);
  };
  const split = Math.max(1, Math.floor(height * 0.65));
  return { wall: await mean(0, split), surface: await mean(split, Math.max(1, height - split)) };
}
