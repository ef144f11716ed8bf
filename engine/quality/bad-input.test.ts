// What people send: every skill answers a bad picture with one plain sentence about the field, and a strange one with a good result.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPictures } from '../src/defects.ts';
import { classicalMatter } from '../src/matting/classical.ts';
import { decodePicture } from '../src/pixels/decode.ts';
import { loadOpenCv } from '../src/pixels/opencv.ts';
import { FieldProblem } from '../src/problem.ts';
import { skills } from '../src/skills/skills.ts';
import { productPath } from './composites.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-bad-input-'));
  await loadOpenCv();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const APPS = Object.keys(skills);
const BUSY_MS = 120_000;
const CUTTING = ['fal-ai/bria/background/remove', 'fal-ai/bria/background/replace'];
const PLENTY = { limitInputPixels: false } as const;

function flat(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const background = { r: 180, g: 176, b: 170, alpha: 0 };
  return sharp({ create: { width, height, channels, background }, ...PLENTY });
}

function mug(): Sharp {
  return sharp(productPath('mug')).resize(420, 420);
}

async function truncate(): Promise<Buffer> {
  const whole = await mug().png().toBuffer();
  return whole.subarray(0, Math.floor(whole.length * 0.6));
}

/** Pictures that no skill can use, by what is wrong with them, and the problem's stable key. */
const UNUSABLE: Record<string, { type: string; make: () => Promise<Buffer> }> = {
  'of 16 px': { type: 'image_too_small', make: () => flat(16, 16).png().toBuffer() },
  'one pixel wide': { type: 'image_too_small', make: () => flat(1, 600).png().toBuffer() },
  'of 81 megapixels': { type: 'image_too_large', make: () => flat(9000, 9000).png().toBuffer() },
  'ten times as long as wide': { type: 'image_aspect_ratio', make: () => flat(2000, 200).jpeg().toBuffer() },
  'that ends in the middle': { type: 'image_load_error', make: truncate },
  'that is text': {
    type: 'unsupported_image_format',
    make: async () => Buffer.from('not a picture at all, only words'),
  },
  'that is a drawing': {
    type: 'unsupported_image_format',
    make: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'),
  },
  'that is empty': { type: 'image_load_error', make: async () => Buffer.alloc(0) },
};

/** Pictures that are odd but show a product. */
const ODD: Record<string, () => Promise<Buffer>> = {
  'in shades of grey': () => mug().greyscale().toColourspace('b-w').jpeg().toBuffer(),
  'for print, in CMYK': () => mug().toColourspace('cmyk').jpeg().toBuffer(),
  'with 16 bits a channel': () => mug().toColourspace('rgb16').png().toBuffer(),
  'with two megabytes of notes': () =>
    mug()
      .withExif({ IFD0: { ImageDescription: 'x'.repeat(60_000), Orientation: '6' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer(),
  'that moves': async () => {
    const still = await mug().raw().toBuffer();
    const frames = Buffer.concat([still, still.toReversed()]);
    const raw = { width: 420, height: 840, channels: 3 as const, pageHeight: 420 };
    return sharp(frames, { raw })
      .webp({ loop: 0, delay: [90, 90] })
      .toBuffer();
  },
};

async function runOn(app: string, bytes: Buffer) {
  const skill = skills[app]!;
  const path = join(folder, 'input');
  await writeFile(path, bytes);
  const fields = Object.entries(skill.fields).filter(([, field]) => field.kind === 'picture' && field.required);
  const pictures = Object.fromEntries(fields.map(([name]) => [name, path]));
  const { run } = await skill.load();
  const input = { prompt: 'on marble' };
  const result = await run({ input, pictures, folder, seed: 1, matter: classicalMatter, report: async () => {} });
  await checkPictures(result, pictures);
  return result;
}

async function problemOf(app: string, bytes: Buffer): Promise<FieldProblem> {
  const outcome = await runOn(app, bytes).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(FieldProblem);
  const problem = outcome as FieldProblem;
  const field = String(problem.entry.loc[1]);
  expect(problem.entry.loc[0]).toBe('body');
  expect(skills[app]!.fields[field]?.kind).toBe('picture');
  expect(problem.entry.msg).toMatch(/^[A-Z][^\n]{10,199}\.$/);
  return problem;
}

describe.each(APPS)('%s', (app) => {
  it.each(Object.keys(UNUSABLE))('refuses a picture %s in a plain sentence about its field', async (name) => {
    const { type, make } = UNUSABLE[name]!;
    expect((await problemOf(app, await make())).entry.type).toBe(type);
  });
});

describe.each(APPS.filter((app) => skills[app]!.makes !== 'video'))('%s', { timeout: BUSY_MS }, (app) => {
  it('refuses a picture that shows nothing', async () => {
    await problemOf(app, await flat(300, 300).jpeg().toBuffer());
  });

  it('refuses a picture that is all transparent', async () => {
    await problemOf(app, await flat(300, 300, 4).png().toBuffer());
  });
});

describe('odd pictures of a product', { timeout: BUSY_MS }, () => {
  it.each(Object.keys(ODD))('are read as what they show: one %s', async (name) => {
    const path = join(folder, 'odd');
    await writeFile(path, await ODD[name]!());
    const { width, height, rgb } = await decodePicture(path, 'image_url');
    expect([width, height, rgb.length]).toEqual([420, 420, 420 * 420 * 3]);
    const spread = [...rgb].reduce(
      ([least, most], value) => [Math.min(least!, value), Math.max(most!, value)],
      [255, 0],
    );
    expect(spread[1]! - spread[0]!).toBeGreaterThan(120);
  });

  it.each(CUTTING)('give %s a result', async (app) => {
    await expect(runOn(app, await ODD['for print, in CMYK']!())).resolves.toBeDefined();
    await expect(runOn(app, await ODD['that moves']!())).resolves.toBeDefined();
  });

  it('keep their own transparency', async () => {
    const round = Buffer.from('<svg width="420" height="420"><circle cx="210" cy="210" r="150"/></svg>');
    const cut = await mug()
      .ensureAlpha()
      .composite([{ input: round, blend: 'dest-in' }])
      .png()
      .toBuffer();
    const { image } = (await runOn(CUTTING[0]!, cut)) as { image: { local_path: string } };
    const alpha = await sharp(image.local_path).extractChannel(3).raw().toBuffer();
    expect([alpha[0], alpha[210 * 420 + 210], alpha[210 * 420 + 45]]).toEqual([0, 255, 0]);
  });
});
