/** The sheet's scenes: real photographs with prompts in two languages, and every set once with our samples. */
import { join } from 'node:path';
import sharp from 'sharp';
import type { Cutout } from '../src/cutout/cut-out.ts';
import { makeScene } from '../src/scenes/make-scene.ts';
import { listPlates } from '../src/scenes/plates.ts';
import { cropProduct } from '../src/scenes/product.ts';
import { readBrief } from '../src/words/brief.ts';
import { PHOTOS } from './cutout-sheet.ts';
import { secondsSince, type Sample } from './sheet-page.ts';

const SHOWN_SIDE = 640;
/** Prompts, as sellers of such products write them, by photograph. */
const REAL: Readonly<Record<string, readonly string[]>> = {
  'thing-02': ['coat rack in a hallway', 'auf einem Bett'],
  'thing-06': ['flat lay on linen', 'am Strand, Sommer'],
  'thing-12': ['snow and winter forest', 'im Flur auf Fliesen'],
  'thing-18': ['picnic blanket on grass', 'auf der Kommode'],
  'thing-24': ['workshop bench', 'auf Schiefer'],
};
export const REAL_PHOTOS = Object.keys(REAL);

/** Makes the scenes assigned to one photo. */
export async function showScenes(folder: string, name: string, cutout: Cutout): Promise<Sample[]> {
  const place = PHOTOS.indexOf(name);
  const sets = listPlates().filter((_, n) => n % PHOTOS.length === place);
  const samples: Sample[] = [];
  for (const prompt of REAL[name] ?? sets.map(({ says }) => says)) {
    samples.push(await showScene(folder, name, cutout, prompt));
  }
  return samples;
}

async function showScene(folder: string, name: string, cutout: Cutout, prompt: string): Promise<Sample> {
  const file = `scene-${name}-${prompt.replace(/\W+/g, '-')}.webp`;
  const started = performance.now();
  const cut = { product: cropProduct(cutout), upload: cutout };
  const { picture, words } = await makeScene({ ...cut, brief: readBrief(prompt) });
  const { data, width, height } = picture;
  const figures = `${width}x${height} · ${secondsSince(started)} · not drawn: ${words.notDrawn.join(', ') || 'nothing'}`;
  await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' })
    .webp({ quality: 88 })
    .toFile(join(folder, file));
  return { tool: 'scene', says: prompt, inputs: [`${name}.jpg`], shown: [{ file, kind: 'picture' }], figures };
}
