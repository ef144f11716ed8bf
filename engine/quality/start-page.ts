/**
 * Makes the pictures of the start page that show what the product makes, with the engine's own skills:
 * `node engine/quality/start-page.ts web/pictures`, then `node scripts/pictures.mjs`. With names it makes only those.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { runSkill } from './run-skill.ts';

const PHOTOS = join(import.meta.dirname, 'pictures');
const SAMPLES = join(import.meta.dirname, '..', '..', 'web', 'public', 'samples');
const photo = (name: string) => join(PHOTOS, `${name}.jpg`);
const sample = (name: string) => join(SAMPLES, `${name}.jpg`);

const QUALITY = 92; // of originals, which are compressed once more
const MAX_SIDE = 1680; // px: twice the hero's width on a desktop

type Shown = { app: string; pictures: Record<string, string>; input?: Record<string, unknown> };

const scene = (path: string, prompt: string, placement?: Record<string, number>): Shown => ({
  app: 'replace-background',
  pictures: { image_url: path },
  input: { prompt, placement },
});

/** By the resulting file's name. The page shows the scenes' prompts word for word. */
const SHOWN: Record<string, Shown> = {
  // Pairs of the hero: the product keeps its place, so that the seam can run through it.
  '1-serum-after': scene('1-serum-before.jpg', 'white marble podium, leaf shadow'),
  '2-mug-after': scene('2-mug-before.jpg', 'kitchen counter, morning', { x: 0.4606, y: 0.7421, scale: 0.8951 }),
  '3-candle-after': scene('3-candle-before.jpg', 'terracotta wall, window light', {
    x: 0.5015,
    y: 0.7969,
    scale: 1.0601,
  }),
  'shown-arches': scene(photo('mug'), 'pastel pink arches'),
  'shown-teddy': { app: 'remove-background', pictures: { image_url: photo('teddy') } },
  'shown-dress': {
    app: 'try-on',
    pictures: { model_image: sample('person-tom'), garment_image: sample('garment-jacket') },
  },
  'shown-candle': scene(photo('candle'), 'terracotta wall, window light'),
  // made from the scene above
  'shown-clip': { app: 'basic-video', pictures: { image_url: 'shown-candle.jpg' } },
  'shown-mug': scene(photo('mug'), 'wooden table, morning light'),
  'shown-dropper': scene(photo('dropper'), 'white marble podium, soft light'),
  'shown-bear': scene(photo('teddy'), 'nursery with toys and a rainbow'),
  'shown-leaves': scene(photo('dropper'), 'sage green wall, leaf shadow'),
};

const [outputFolder = '', ...selected] = process.argv.slice(2);
for (const name of selected.length > 0 ? selected : Object.keys(SHOWN)) await make(name);

async function make(name: string): Promise<void> {
  const { app, pictures, input } = SHOWN[name] ?? {};
  if (app === undefined || pictures === undefined) throw new Error(`nothing of the name ${name} is shown`);
  const folder = await mkdtemp(join(tmpdir(), 'plinth-shown-'));
  try {
    const paths = Object.entries(pictures).map(([field, path]) => [field, resolve(outputFolder, path)]);
    const { file: made } = await runSkill(app, Object.fromEntries(paths) as Shown['pictures'], folder, input);
    if (made.endsWith('.mp4')) return await copyFile(made, join(outputFolder, `${name}.mp4`));
    const small = sharp(made).resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true });
    const { hasAlpha } = await sharp(made).metadata();
    await (hasAlpha
      ? small.webp({ quality: QUALITY }).toFile(join(outputFolder, `${name}.webp`))
      : small.jpeg({ quality: QUALITY, mozjpeg: true }).toFile(join(outputFolder, `${name}.jpg`)));
  } finally {
    await rm(folder, { recursive: true });
  }
}
