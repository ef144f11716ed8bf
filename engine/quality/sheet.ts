// npm run sheet: one page with input, result, time and figures of every sample, to be looked at with a harsh eye.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { classicalMatter } from '../src/matting/classical.ts';
import { loadOpenCv } from '../src/pixels/opencv.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { FieldProblem } from '../src/problem.ts';
import { plateIds } from '../src/scenes/plates.ts';
import { patterns } from '../src/scenes/patterns.ts';
import { findSkill } from '../src/skills/skills.ts';
import { PRODUCTS, productPath } from './composites.ts';
import { showVideos } from './video-sheet.ts';

const SHEET = fileURLToPath(new URL('../sheet/', import.meta.url));
const REMOVE = 'fal-ai/bria/background/remove';
const REPLACE = 'fal-ai/bria/background/replace';
const SHOWN = ['mug', 'dropper', 'handbag', 'teddy'];
const PROMPTS = [
  'navy background',
  'sage green wall with leaf shadow',
  'on a teal podium',
  'moody dark, light from the right',
  'asdf',
];

await rm(SHEET, { recursive: true, force: true });
await mkdir(SHEET, { recursive: true });
await loadOpenCv();
const cells: string[] = [];
for (const product of PRODUCTS) cells.push(await show(REMOVE, product, ''));
const scenes = [
  ...plateIds().map((id) => id.replace('-', ' ')),
  ...Object.values(patterns).map((recipe) => recipe.words[0] ?? ''),
  ...PROMPTS,
];
for (const [n, prompt] of scenes.entries()) cells.push(await show(REPLACE, SHOWN[n % SHOWN.length]!, prompt));
cells.push(...(await showVideos(SHEET)));
await writeFile(join(SHEET, 'index.html'), page(cells));
console.log(join(SHEET, 'index.html'));

async function show(app: string, product: string, prompt: string): Promise<string> {
  const name = `${app.split('/').at(-1)}-${product}-${prompt.replace(/\W+/g, '-')}`;
  const input = `${product}.jpg`;
  await copyFile(productPath(product), join(SHEET, input));
  const started = performance.now();
  try {
    const { run } = (await findSkill(app)?.load()) ?? {};
    if (!run) throw new Error(`no skill ${app}`);
    const pictures = { image_url: productPath(product) };
    const result = await run({
      input: { prompt },
      pictures,
      folder: join(SHEET, 'full'),
      seed: 7,
      matter: classicalMatter,
      report: async () => {},
    });
    const file = (result['image'] ?? (result['images'] as PictureFile[])[0]) as PictureFile;
    await sharp(file.local_path)
      .resize(640)
      .webp({ quality: 88 })
      .toFile(join(SHEET, `${name}.webp`));
    return cell(input, `<img src="${name}.webp">`, prompt, `${file.width}x${file.height}`, started);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    return cell(input, `<p>${error.message}</p>`, prompt, 'refused', started);
  }
}

function cell(input: string, result: string, prompt: string, figures: string, started: number): string {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return `<figure><img src="${input}">${result}<figcaption>${prompt || 'cut-out'} · ${figures} · ${seconds} s</figcaption></figure>`;
}

function page(all: string[]): string {
  const style = `body{font:14px sans-serif;background:#ddd}main{display:grid;grid-template-columns:repeat(auto-fill,minmax(640px,1fr));gap:16px}
figure{margin:0;display:grid;grid-template-columns:1fr 2fr;gap:8px}figcaption{grid-column:1/3}img{width:100%;background:repeating-conic-gradient(#bbb 0 25%,#eee 0 50%) 0/24px 24px}`;
  return `<!doctype html><meta charset="utf-8"><title>Engine sheet</title><style>${style}</style><main>${all.join('\n')}</main>\n`;
}
