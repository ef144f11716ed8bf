// The sheet's cut-outs: the upload, and what is left of it on a chequerboard, on white and on black.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { classicalMatter } from '../src/matting/classical.ts';
import { cutOut, type Cutout } from '../src/matting/cutout.ts';
import { FieldProblem } from '../src/problem.ts';
import { PRODUCTS, productPath } from './composites.ts';

const SHOWN_SIDE = 640;
export const PHOTOS = [...PRODUCTS, 'person-li', 'person-nora', 'person-tom'];

/** The cut-outs themselves by photo, for the scenes, and the cells to look at; what was refused has a cell only. */
export async function showCutouts(sheet: string): Promise<{ cells: string[]; cutouts: Map<string, Cutout> }> {
  const cutouts = new Map<string, Cutout>();
  const cells: string[] = [];
  for (const name of PHOTOS) {
    await copyFile(productPath(name), join(sheet, `${name}.jpg`));
    const started = performance.now();
    const outcome = await cutOrRefuse(name);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (typeof outcome === 'string') {
      cells.push(cell(name, `<p>${outcome}</p>`, `refused · ${seconds} s`));
      continue;
    }
    cutouts.set(name, outcome);
    await saveSmall(outcome, join(sheet, `cutout-${name}.webp`));
    const grounds = ['', 'background:#fff', 'background:#000'];
    const shown = grounds.map((style) => `<img src="cutout-${name}.webp" style="${style}">`).join('');
    cells.push(cell(name, shown, `${outcome.width}x${outcome.height} · ${seconds} s`));
  }
  return { cells, cutouts };
}

async function cutOrRefuse(name: string): Promise<Cutout | string> {
  try {
    return await cutOut(productPath(name), 'image_url', classicalMatter, async () => {});
  } catch (error) {
    if (error instanceof FieldProblem) return error.message;
    throw error;
  }
}

async function saveSmall({ rgb, alpha, width, height }: Cutout, path: string): Promise<void> {
  const raw = { raw: { width, height, channels: 3 as const } };
  const cover = { raw: { width, height, channels: 1 as const } };
  const joined = await sharp(rgb, raw).joinChannel(Buffer.from(alpha), cover).png().toBuffer();
  await sharp(joined).resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' }).webp({ quality: 90 }).toFile(path);
}

function cell(name: string, shown: string, figures: string): string {
  return `<figure class="wide"><img src="${name}.jpg">${shown}<figcaption>${name} · ${figures}</figcaption></figure>`;
}
