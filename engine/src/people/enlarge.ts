/** Headshots in print size: the work is done small, then drawn up, and what the user's photo shows finer is added. */
import sharp from 'sharp';
import { clampByte } from '../pixels/colour.ts';
import type { Rgb, Size } from '../pixels/plane.ts';
import { readPoint } from '../pixels/sample.ts';
import type { Donated, Person } from './face-swap.ts';
import { cutCrop } from './crops.ts';

const PRINT_SIDE = 1152; // pixels of the shorter side: ten centimetres in print
const MOST_ENLARGED = 2; // times; beyond it a portrait looks soft

/** How many times a headshot is enlarged: 1 where it is large enough. */
export function measureEnlargement({ width, height }: Size): number {
  return Math.min(MOST_ENLARGED, Math.max(1, PRINT_SIDE / Math.min(width, height)));
}

/**
 * The headshot `times` as large.
 * @param user whose face it shows, in the photo's own size
 * @param donated which pixels of `crop` came from there
 */
export async function enlargeHeadshot(
  headshot: Rgb,
  times: number,
  user: Person,
  { crop, userCrop, cover, places }: Donated,
): Promise<Rgb> {
  const [width, height] = [Math.round(times * headshot.width), Math.round(times * headshot.height)];
  const raw = { raw: { width: headshot.width, height: headshot.height, channels: 3 as const } };
  const resized = sharp(headshot.data, raw).resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
  const data = new Uint8Array(await resized.sharpen({ sigma: 0.9, m1: 0.4, m2: 1.2 }).raw().toBuffer());
  const scale = userCrop.picture.width / userCrop.box.width;
  const finer = Math.min(times, 1 / scale);
  if (finer <= 1.05) return { data, width, height };
  const fine = (await cutCrop(user.picture, userCrop.box, scale * finer)).picture;
  const coarse = userCrop.picture;
  const small = crop.picture;
  const across = { ...cover, data: places.x };
  const down = { ...cover, data: places.y };
  const reach = { x: fine.width / coarse.width, y: fine.height / coarse.height };
  const from = { x: Math.ceil(times * crop.box.left), y: Math.ceil(times * crop.box.top) };
  for (let y = from.y; y < Math.min(height, times * (crop.box.top + small.height) - 1); y += 1) {
    const sy = (y + 0.5) / times - 0.5 - crop.box.top;
    for (let x = from.x; x < Math.min(width, times * (crop.box.left + small.width) - 1); x += 1) {
      const sx = (x + 0.5) / times - 0.5 - crop.box.left;
      const share = readPoint(cover, sx, sy);
      if (share < LEAST) continue;
      const [px, py] = [readPoint(across, sx, sy), readPoint(down, sx, sy)];
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c += 1) {
        const detail =
          readPoint(fine, (px + 0.5) * reach.x - 0.5, (py + 0.5) * reach.y - 0.5, 3, c) -
          readPoint(coarse, px, py, 3, c);
        data[at + c] = clampByte(Math.round(data[at + c]! + share * detail));
      }
    }
  }
  return { data, width, height };
}

const LEAST = 0.3; // of cover: in softer edges other pixels show
