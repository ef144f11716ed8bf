/** The sheet's cut-outs: the upload, and the result on a chequerboard, on white and on black. */
import { copyFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { cutOut, type Cutout } from '../src/cutout/cut-out.ts';
import { Refusal } from '../src/refusal.ts';
import { PRODUCTS, productPath } from './composites.ts';
import { secondsSince, type Sample } from './sheet-page.ts';

const SHOWN_SIDE = 640;
export const PHOTOS = [...PRODUCTS, 'person-li', 'person-nora'];

/** Returns the cut-out for the scenes, unless it was refused, and the sample for the page. */
export async function showCutout(
  folder: string,
  name: string,
  path = productPath(name),
): Promise<{ sample: Sample; cutout?: Cutout }> {
  const input = `${name}${extname(path)}`;
  await copyFile(path, join(folder, input));
  const sample: Sample = { tool: 'cutout', says: name, inputs: [input], shown: [], figures: '' };
  const started = performance.now();
  try {
    const cutout = await cutOut(path, ownMatting, async () => {});
    const figures = `${cutout.width}x${cutout.height} · ${secondsSince(started)}`;
    const file = `cutout-${name}.webp`;
    await saveSmall(cutout, join(folder, file));
    const picture = { file, kind: 'picture' } as const;
    const shown = [picture, { ...picture, background: 'white' }, { ...picture, background: 'black' }] as const;
    return { sample: { ...sample, figures, shown: [...shown] }, cutout };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { sample: { ...sample, refusal: error.message, figures: `refused · ${secondsSince(started)}` } };
  }
}

async function saveSmall({ rgb, alpha, width, height }: Cutout, path: string): Promise<void> {
  const raw = { raw: { width, height, channels: 3 as const } };
  const alphaRaw = { raw: { width, height, channels: 1 as const } };
  const joined = await sharp(rgb, raw).joinChannel(Buffer.from(alpha), alphaRaw).png().toBuffer();
  await sharp(joined).resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' }).webp({ quality: 90 }).toFile(path);
}
