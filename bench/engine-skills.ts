/** Time and peak memory of each engine skill in its own process. */
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Input } from '../engine/src/skills/skills.ts';
import { WORKER_ARGUMENTS, WORKER_MEMORY } from '../engine/src/pool/worker-process.ts';
import { runSkill } from '../engine/quality/run-skill.ts';
import { productPath } from '../engine/quality/composites.ts';
import { portraitPath, samplePath } from '../engine/quality/people.ts';

export type Measured = {
  what: string;
  /** Warm runs, after a first one that loads the skill's models. */
  runs: number;
  /** Median, minimum and maximum of the warm runs. */
  milliseconds: number;
  minMs: number;
  maxMs: number;
  peakRssBytes: number;
};

type Case = {
  what: string;
  app: string;
  input: Input;
  /** Field -> path of the picture. */
  pictures: Record<string, string>;
  /** Longest side to which the pictures are resized, in pixels. */
  side: number;
};

const REMOVE = 'remove-background';
const REPLACE = 'replace-background';
const PREMIUM = 'premium-video';
const MUG = { image_url: productPath('mug') };
const MARBLE = { prompt: 'marble podium' };
const GLIDE = { prompt: 'camera glides closer, light moves across' };
const WORN = { model_image: samplePath('person-nora'), garment_image: samplePath('garment-striped') };
const FACES = { face_image_0: samplePath('face-nora'), target_image: portraitPath(1) };

const CASES: readonly Case[] = [
  { what: 'remove-background, 1 megapixel', app: REMOVE, input: {}, pictures: MUG, side: 1024 },
  { what: 'remove-background, 12 megapixels', app: REMOVE, input: {}, pictures: MUG, side: 3464 },
  { what: 'replace-background, 1 megapixel', app: REPLACE, input: MARBLE, pictures: MUG, side: 1024 },
  { what: 'replace-background, 12 megapixels', app: REPLACE, input: MARBLE, pictures: MUG, side: 3464 },
  { what: 'try-on, 900x1200', app: 'try-on', input: {}, pictures: WORN, side: 1200 },
  { what: 'headshot, 768x960', app: 'headshot', input: {}, pictures: FACES, side: 1200 },
  { what: 'basic video, 768x768, 4 s', app: 'basic-video', input: {}, pictures: MUG, side: 768 },
  {
    what: 'premium video, 1:1, 5 s',
    app: PREMIUM,
    input: { ...GLIDE, aspect_ratio: '1:1' },
    pictures: MUG,
    side: 1200,
  },
  { what: 'premium video, 16:9, 5 s', app: PREMIUM, input: GLIDE, pictures: MUG, side: 1200 },
];
const RUNS = 5;

/** Measures every skill, one after the other. The caller decides which is too slow. */
export async function measureSkills(): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const index of CASES.keys()) measured.push(await measureApart(index));
  return measured;
}

function measureApart(index: number): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...WORKER_MEMORY };
    const child = fork(fileURLToPath(import.meta.url), [String(index)], { execArgv: WORKER_ARGUMENTS, env });
    child.once('message', (message) => resolve(message as Measured));
    child.once('exit', (code) => code !== 0 && reject(new Error(`${CASES[index]?.what} failed`)));
  });
}

async function measureHere({ what, app, input, pictures, side }: Case): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-measure-'));
  try {
    const paths: Record<string, string> = {};
    for (const [field, path] of Object.entries(pictures)) {
      paths[field] = join(folder, `${field}.jpg`);
      await sharp(path).resize(side, side, { fit: 'inside' }).jpeg({ quality: 90 }).toFile(paths[field]);
    }
    await runSkill(app, paths, folder, input);
    const times: number[] = [];
    for (let n = 0; n < RUNS; n += 1) {
      const started = performance.now();
      await runSkill(app, paths, folder, input);
      times.push(performance.now() - started);
    }
    const sorted = times.toSorted((a, b) => a - b);
    return {
      what,
      runs: RUNS,
      milliseconds: sorted[Math.floor(RUNS / 2)] ?? NaN,
      minMs: sorted[0] ?? NaN,
      maxMs: sorted.at(-1) ?? NaN,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const asked = CASES[Number(process.argv[2])];
if (process.send && asked) {
  process.send(await measureHere(asked));
  process.disconnect();
}
