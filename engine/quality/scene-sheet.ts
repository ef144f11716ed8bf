// The sheet's scenes: every product with every prompt of a list, then every plate and painted scene once.
import { join } from 'node:path';
import sharp from 'sharp';
import type { Cutout } from '../src/matting/cutout.ts';
import { readBrief } from '../src/scenes/brief.ts';
import { makeScene } from '../src/scenes/make-scene.ts';
import { plateIds } from '../src/scenes/plates.ts';
import { cropProduct } from '../src/scenes/product.ts';
import { recipes } from '../src/scenes/recipes.ts';

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

export async function showScenes(sheet: string, cutouts: Map<string, Cutout>): Promise<string[]> {
  const names = [...cutouts.keys()];
  const turns = [
    ...plateIds().map((id) => id.replace('-', ' ')),
    ...Object.values(recipes).map(({ words }) => words[0]!),
  ];
  const wanted = [
    ...names.flatMap((name) => PROMPTS.map((prompt) => ({ name, prompt }))),
    ...turns.map((prompt, n) => ({ name: names[n % names.length]!, prompt })),
  ];
  const cells: string[] = [];
  for (const { name, prompt } of wanted) cells.push(await show(sheet, name, cutouts.get(name)!, prompt));
  return cells;
}

async function show(sheet: string, name: string, cutout: Cutout, prompt: string): Promise<string> {
  const file = `scene-${name}-${prompt.replace(/\W+/g, '-')}.webp`;
  const started = performance.now();
  const request = { product: cropProduct(cutout), upload: cutout, brief: readBrief(prompt, ''), take: 0, seed: 7 };
  const { rgb, width, height } = await makeScene(request);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' })
    .webp({ quality: 88 })
    .toFile(join(sheet, file));
  return `<figure class="scene"><img src="${file}"><figcaption>${prompt} · ${width}x${height} · ${seconds} s</figcaption></figure>`;
}
