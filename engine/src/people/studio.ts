/** Reconstructs the studio of a stock portrait without the person: its wall and light. */
import { clampByte } from '../pixels/colour.ts';
import { dilate, invert, threshold } from '../pixels/mask.ts';
import { readChannel, type Rgb, type Size } from '../pixels/plane.ts';
import { shrinkRgb, squeezeRgb } from '../pixels/decode.ts';
import { makeRandom } from '../pixels/random.ts';
import { spreadKnown } from '../pixels/fill-gaps.ts';
import { readWorn } from './worn.ts';

const WORK_SIDE = 320; // pixels: enough for smooth walls
const AWAY = 0.05; // of the picture's width from the person: nearer pixels contain hair
const BLUR = 6; // sigma in pixels at the working size
const DITHER = 1.5; // of 255: noise that prevents banding

/** A background of this size; deterministic per portrait. */
export async function makeStudio(portrait: Rgb, size: Size): Promise<Rgb> {
  const small = await shrinkRgb(portrait, WORK_SIDE);
  const { person } = await readWorn(small);
  const wall = invert(dilate(threshold(person, 0.3), AWAY * small.width));
  const data = new Uint8Array(3 * small.width * small.height);
  for (let c = 0; c < 3; c += 1) {
    const filled = spreadKnown(readChannel(small, c), wall, BLUR).data;
    for (let i = 0; i < filled.length; i += 1) data[3 * i + c] = Math.round(filled[i]!);
  }
  const background = await squeezeRgb({ ...small, data }, size);
  const random = makeRandom(1);
  for (let i = 0; i < background.data.length; i += 3) {
    const step = DITHER * (random() + random() - 1);
    for (let c = i; c < i + 3; c += 1) background.data[c] = Math.round(clampByte(background.data[c]! + step));
  }
  return background;
}
