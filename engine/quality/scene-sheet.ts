/** The sheet's scenes: every prompt of a list with some of the products, and every plate once. */
import { join } from 'node:path';
import sharp from 'sharp';
import type { Cutout } from '../src/cutout/cut-out.ts';
import { readBrief } from '../src/words/brief.ts';
import { makeScene } from '../src/scenes/make-scene.ts';
import { listPlates } from '../src/scenes/plates.ts';
import { cropProduct } from '../src/scenes/product.ts';
import { PHOTOS } from './cutout-sheet.ts';
import { secondsSince, type Sample } from './sheet-page.ts';

const SHOWN_SIDE = 640;
const PROMPTS = [
  'elegant white marble podium with soft shadows',
  'navy background',
  'on a wooden table by the window at golden hour',
  'black luxury with gold bokeh, dramatic',
  'beach, light from the left',
  'sage green wall with leaf shadow',
  'red theatre curtain',
  'asdf',
];
const PROMPTS_EACH = 2;

/** The scenes that fall to one photo. */
export async function showScenes(folder: string, name: string, cutout: Cutout): Promise<Sample[]> {
  const place = PHOTOS.indexOf(name);
  const names = listPlates().map(({ id }) => id.replace('-', ' '));
  const wanted = [
    ...PROMPTS.filter((_, n) => (n + PROMPTS.length - (place % PROMPTS.length)) % PROMPTS.length < PROMPTS_EACH),
    ...names.filter((_, n) => n % PHOTOS.length === place),
  ];
  const samples: Sample[] = [];
  for (const prompt of wanted) samples.push(await showScene(folder, name, cutout, prompt));
  return samples;
}

async function showScene(folder: string, name: string, cutout: Cutout, prompt: string): Promise<Sample> {
  const file = `scene-${name}-${prompt.replace(/\W+/g, '-')}.webp`;
  const started = performance.now();
  const request = { product: cropProduct(cutout), upload: cutout, brief: readBrief(prompt), seed: 7 };
  const { data, width, height } = (await makeScene(request)).picture;
  const figures = `${width}x${height} · ${secondsSince(started)}`;
  await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' })
    .webp({ quality: 88 })
    .toFile(join(folder, file));
  return { tool: 'scene', says: prompt, inputs: [`${name}.jpg`], shown: [{ file, kind: 'picture' }], figures };
}
