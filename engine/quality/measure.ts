// Time and peak memory of one skill on one picture, in a process of its own. `node quality/measure.ts` prints a table.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { classicalMatter } from '../src/matting/classical.ts';
import { loadOpenCv } from '../src/pixels/opencv.ts';
import { findSkill } from '../src/skills/skills.ts';
import { productPath } from './composites.ts';

export interface Measured {
  app: string;
  megapixels: number;
  /** Of the second run in the process: what a warm worker takes. */
  milliseconds: number;
  peakRssBytes: number;
}

const STILLS = ['fal-ai/bria/background/remove', 'fal-ai/bria/background/replace'];
const FILMS = ['fal-ai/ltx-video/image-to-video', 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video'];
const SIDES = [1024, 3464]; // 1 and 12 megapixels

/** Measures every skill at both sizes, one after the other; the caller decides what is too slow. */
export async function measureSkills(product = 'mug'): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-measure-'));
  try {
    const measured: Measured[] = [];
    for (const side of SIDES) {
      const picture = join(folder, `${side}.jpg`);
      await sharp(productPath(product)).resize(side, side, { fit: 'inside' }).jpeg({ quality: 90 }).toFile(picture);
      for (const app of STILLS) measured.push(await measureOnce(app, picture, folder));
      if (side > SIDES[0]!) continue; // a film's own size is the same for any upload
      for (const app of FILMS) measured.push(await measureOnce(app, picture, folder));
    }
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function measureOnce(app: string, picture: string, folder: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [app, picture, folder], {
      execArgv: ['--max-old-space-size=768'],
    });
    child.once('message', (message) => resolve(message as Measured));
    child.once('exit', (code) => code !== 0 && reject(new Error(`${app} failed`)));
  });
}

async function runTwice(app: string, picture: string, folder: string): Promise<Measured> {
  await loadOpenCv();
  const { run } = (await findSkill(app)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${app}`);
  let milliseconds = 0;
  for (let n = 0; n < 2; n += 1) {
    const started = performance.now();
    const pictures = { image_url: picture };
    const input = { prompt: 'marble podium' };
    await run({ input, pictures, folder, seed: 1, matter: classicalMatter, report: async () => {} });
    milliseconds = performance.now() - started;
  }
  const { width, height } = await sharp(picture).metadata();
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  return { app, megapixels: (width * height) / 1e6, milliseconds, peakRssBytes };
}

const [app, picture, folder] = process.argv.slice(2);
if (process.send && app && picture && folder) {
  process.send(await runTwice(app, picture, folder));
  process.disconnect();
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await measureSkills();
  console.table(
    rows.map((row) => ({
      skill: row.app,
      megapixels: row.megapixels.toFixed(1),
      seconds: (row.milliseconds / 1000).toFixed(2),
      'peak MB': Math.round(row.peakRssBytes / 1e6),
    })),
  );
}
