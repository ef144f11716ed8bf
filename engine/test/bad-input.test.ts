/**
 * Uploads of all kinds: every skill answers a bad picture with one plain sentence, and an odd one with a good result.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { readPicture } from '../src/pixels/decode.ts';
import { Refusal } from '../src/refusal.ts';
import { planFilm, planLoop } from '../src/skills/films.ts';
import { skills } from '../src/skills/skills.ts';
import { makeFilm } from '../src/video/film.ts';
import { beginTask, doTask, REMOVE, removeFolder, startEngine, waitFor } from './engine.ts';
import { productPath } from '../quality/composites.ts';
import { portraitPath, samplePath } from '../quality/people.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-bad-input-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const APPS = Object.keys(skills);
const BUSY_MS = 120_000;
const CUTTING = ['remove-background', 'replace-background'];
const HEADSHOT = 'headshot';
const TRY_ON = 'try-on';
const FILMING = APPS.filter((app) => skills[app]!.makes === 'video');
const PLENTY = { limitInputPixels: false } as const;

function flat(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const background = { r: 180, g: 176, b: 170, alpha: 0 };
  return sharp({ create: { width, height, channels, background }, ...PLENTY });
}

function mug(): Sharp {
  return sharp(productPath('mug')).resize(420, 420);
}

/** A circle of the mug's picture; the rest is transparent. */
function cutRound(): Promise<Buffer> {
  const round = Buffer.from('<svg width="420" height="420"><circle cx="210" cy="210" r="150"/></svg>');
  return mug()
    .ensureAlpha()
    .composite([{ input: round, blend: 'dest-in' }])
    .png()
    .toBuffer();
}

async function truncate(): Promise<Buffer> {
  const whole = await mug().png().toBuffer();
  return whole.subarray(0, Math.floor(whole.length * 0.6));
}

/** Pictures that no skill can use, by their fault, and the refusal. */
const UNUSABLE: Record<string, { message: RegExp; make: () => Promise<Buffer> }> = {
  'of 40 px': { message: /at least 64 pixels/, make: () => flat(40, 40).png().toBuffer() },
  'one pixel wide': { message: /at least 64 pixels/, make: () => flat(1, 600).png().toBuffer() },
  'of more than 64 megapixels': { message: /64 million pixels/, make: () => flat(8001, 8000).png().toBuffer() },
  'ten times as long as wide': { message: /eight times/, make: () => flat(2000, 200).jpeg().toBuffer() },
  'that ends in the middle': { message: /is damaged/, make: truncate },
  'that is text': {
    message: /^Use a JPEG/,
    make: async () => Buffer.from('not a picture at all, only words'),
  },
  'that is a drawing': {
    message: /^Use a JPEG/,
    make: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'),
  },
  'that is empty': { message: /^Use a JPEG/, make: async () => Buffer.alloc(0) },
};

/** Unusual pictures that show a product. */
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

async function makeRequest(app: string, bytes: [Buffer, ...Buffer[]]) {
  const skill = skills[app]!;
  const pictures: Record<string, string> = {};
  for (const [n, name] of (skill.pictures ?? ['image_url']).entries()) {
    pictures[name] = join(folder, `input-${n}`);
    await writeFile(pictures[name], bytes[n] ?? bytes[0]);
  }
  const input = { prompt: 'on marble', duration: '5' };
  return { input, pictures, folder, seed: 1, matting: ownMatting, report: async () => {} };
}

/** Runs a skill with one picture for all its fields, or one for each. */
async function runOn(app: string, ...bytes: [Buffer, ...Buffer[]]) {
  const request = await makeRequest(app, bytes);
  const { run } = await skills[app]!.load();
  return run(request);
}

/** Draws a box on a background of one colour. */
function drawBox(width: number, height: number, background: string, box: string): Promise<Buffer> {
  const [side, left, top] = [0.5 * height, 0.5 * width - 0.25 * height, 0.25 * height];
  const drawn = `<rect width="100%" height="100%" fill="${background}"/><rect x="${left}" y="${top}" width="${side}" height="${side}" rx="20" fill="${box}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer();
}

/** Makes the film's first frames, which show every effect of an odd picture. */
async function beginFilm(app: string, bytes: Buffer) {
  const plan = { 'basic-video': planLoop }[app] ?? planFilm;
  const { script, ...planned } = await plan(await makeRequest(app, [bytes]));
  const begun = { ...script, poses: script.poses.slice(0, 6) };
  return makeFilm({ ...planned, script: begun }, join(folder, 'video.mp4'), async () => {});
}

async function refusalOf(app: string, bytes: Buffer): Promise<string> {
  const outcome = await runOn(app, bytes).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Refusal);
  const { message } = outcome as Refusal;
  expect(message).toMatch(/^[A-Z][^\n]{10,199}\.$/);
  return message;
}

describe.each(Object.keys(UNUSABLE))('a picture %s', (name) => {
  let picture: Buffer;
  beforeAll(async () => {
    picture = await UNUSABLE[name]!.make();
  });

  it.each(APPS)('is refused by %s in a plain sentence', async (app) => {
    expect(await refusalOf(app, picture)).toMatch(UNUSABLE[name]!.message);
  });
});

/** Without a product, the detection skill returns no candidate and the shadow skill an empty picture. */
const MAKING_STILLS = APPS.filter(
  (app) => skills[app]!.makes !== 'video' && app !== 'find-subject' && app !== 'shadow',
);

describe.each(MAKING_STILLS)('%s', { timeout: BUSY_MS }, (app) => {
  it('refuses a picture of one colour', async () => {
    await refusalOf(app, await flat(300, 300).jpeg().toBuffer());
  });

  it('refuses a fully transparent picture', async () => {
    await refusalOf(app, await flat(300, 300, 4).png().toBuffer());
  });
});

describe('unusual pictures of a product', { timeout: BUSY_MS }, () => {
  it.each(Object.keys(ODD))('are decoded to their visible content: one %s', async (name) => {
    const path = join(folder, 'odd');
    await writeFile(path, await ODD[name]!());
    const { width, height, data } = await readPicture(path);
    expect([width, height, data.length]).toEqual([420, 420, 420 * 420 * 3]);
    const spread = [...data].reduce(([min, max], value) => [Math.min(min!, value), Math.max(max!, value)], [255, 0]);
    expect(spread[1]! - spread[0]!).toBeGreaterThan(120);
  });

  it('give a cut-out and a scene', async () => {
    await expect(runOn(CUTTING[0]!, await ODD['for print, in CMYK']!())).resolves.toBeDefined();
    await expect(runOn(CUTTING[1]!, await ODD['that moves']!())).resolves.toBeDefined();
  });

  it.each([
    ['black on black', 900, 900, '#101010', '#060606'],
    ['in a panorama', 2100, 300, '#b4b0aa', '#7b3b52'],
  ] as const)('%s are cut out', async (_, width, height, background, box) => {
    const { file } = (await runOn(CUTTING[0]!, await drawBox(width, height, background, box))) as { file: string };
    const alpha = await sharp(file).extractChannel(3).raw().toBuffer();
    const opaque = alpha.filter((value) => value > 127).length;
    expect(opaque / (0.5 * height) ** 2).toBeCloseTo(1, 1);
    expect(alpha[(height >> 1) * width + (width >> 1)]).toBe(255);
  });

  it.each(FILMING)('give %s a film', { tags: ['slow'] }, async (app) => {
    await expect(beginFilm(app, await cutRound())).resolves.toMatch(/mp4$/);
  });

  it(
    'give a headshot of a face for print and a try-on of a person with 16 bits and a grey garment',
    { tags: ['slow'] },
    async () => {
      const print = await sharp(samplePath('face-nora')).toColourspace('cmyk').jpeg().toBuffer();
      const portrait = await sharp(portraitPath(1)).resize(400).jpeg().toBuffer();
      await expect(runOn(HEADSHOT, print, portrait)).resolves.toBeDefined();
      const fine = await sharp(samplePath('person-nora')).resize(450).toColourspace('rgb16').png().toBuffer();
      const grey = await sharp(samplePath('garment-tshirt')).greyscale().toColourspace('b-w').jpeg().toBuffer();
      await expect(runOn(TRY_ON, fine, grey)).resolves.toBeDefined();
    },
  );

  it('keep their own transparency', async () => {
    const { file } = (await runOn(CUTTING[0]!, await cutRound())) as { file: string };
    const alpha = await sharp(file).extractChannel(3).raw().toBuffer();
    expect([alpha[0], alpha[210 * 420 + 210], alpha[210 * 420 + 45]]).toEqual([0, 255, 0]);
  });
});

describe('a picture of 64 megapixels', { tags: ['slow'], timeout: 4 * BUSY_MS }, () => {
  const MAX_PIXELS = 64_000_000;
  let path: string;
  beforeAll(async () => {
    path = join(folder, 'large.jpg');
    const shown = await sharp(productPath('mug')).resize(4000, 4000).toBuffer();
    await flat(8000, MAX_PIXELS / 8000)
      .composite([{ input: shown }])
      .jpeg({ quality: 70 })
      .toFile(path);
  }, BUSY_MS);

  it("is cut out at full size, and its film started, within a worker's memory", async () => {
    const engine = await startEngine({ ENGINE_WORKERS: '1', ENGINE_STILL_SECONDS: '300', ENGINE_VIDEO_SECONDS: '300' });
    try {
      const pictures = { image_url: await readFile(path) };
      const cutout = await doTask(engine, REMOVE, { pictures });
      expect(await sharp(cutout.file, PLENTY).metadata()).toMatchObject({ format: 'png', width: 8000, height: 8000 });
      // A photo of this size reaches its peak memory with the first frame.
      const film = beginTask(engine, FILMING[1]!, { pictures, input: { prompt: 'turn around' } });
      await waitFor(async () => film.lines.some(({ percent }) => Number(percent) >= 25), 2 * BUSY_MS);
      film.abort();
      await expect(film.end).rejects.toThrow();
    } finally {
      await engine.stop();
      await removeFolder(engine);
    }
  });
});
