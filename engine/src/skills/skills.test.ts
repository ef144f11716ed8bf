import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { BLIND, BROKEN, makeMatting, makeRequest, savePicture } from '../../test/skill.ts';
import type { Marks } from '../cutout/marks.ts';
import { UNCLEAR_PRODUCT } from '../cutout/matting.ts';
import { Refusal } from '../refusal.ts';
import { boxAt } from '../video/pose.ts';
import { planFilm } from './films.ts';
import { run as removeBackground } from './remove-background.ts';
import { run as replaceBackground } from './replace-background.ts';
import { skills, type Input, type SkillRequest, type SkillResult } from './skills.ts';

/** Runs the skills in this process on small drawn pictures. */

/** Folders for shared pictures and for one test's files. */
let shared: string;
let folder: string;
beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'engine-skills-'));
});
afterAll(() => rm(shared, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(shared, 'own-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const DISC_SIZE = { width: 121, height: 87 };
const isDisc = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5) < 0.3;
const isDiscAt = (i: number) => isDisc(((i % 121) + 0.5) / 121, (Math.floor(i / 121) + 0.5) / 87);
const discPhoto = drawRgb(DISC_SIZE, (x, y) => (isDiscAt(y * 121 + x) ? [180, 40 + x, 30] : [220, 225, 230]));

type Replaced = Extract<SkillResult, { file: string }>;

async function cut(alpha?: Uint8Array, changes: Partial<SkillRequest> = {}, reported: number[] = []) {
  const pictures = { image_url: await savePicture(folder, 'photo', discPhoto, alpha) };
  const out = join(folder, 'out');
  await mkdir(out, { recursive: true });
  const { file: image } = (await removeBackground(makeRequest(out, { pictures, ...changes }, reported))) as Replaced;
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  return { image, data, info, at: (x: number, y: number) => [...data.subarray(4 * (y * 121 + x)).subarray(0, 4)] };
}

describe('a cut-out', () => {
  it("is a PNG of the photo's size with a transparent background", async () => {
    const { image, info, at } = await cut(undefined, { matting: makeMatting(isDisc) });
    expect(await sharp(image).metadata()).toMatchObject({ format: 'png', ...DISC_SIZE });
    expect(info).toMatchObject({ ...DISC_SIZE, channels: 4 });
    expect(at(60, 43)).toEqual([180, 100, 30, 255]);
    expect(at(2, 2)).toEqual([0, 0, 0, 0]);
    expect(await readdir(join(folder, 'out'))).toEqual(['cutout.png']);
  });

  it('contains nothing of the background where it is transparent', async () => {
    const { data } = await cut(undefined, { matting: makeMatting(isDisc) });
    const hidden = [...Array(121 * 87).keys()].filter((i) => data[4 * i + 3] === 0);
    expect(hidden.length).toBeGreaterThan(1000);
    expect(hidden.every((i) => data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]! === 0)).toBe(true);
  });

  it('of a transparent upload keeps its alpha without inference', async () => {
    const own = Uint8Array.from({ length: 121 * 87 }, (_, i) => (isDiscAt(i) ? 255 - (i % 3) * 60 : 0));
    const { data } = await cut(own, { matting: BROKEN });
    expect(own.every((value, i) => data[4 * i + 3] === value)).toBe(true);
  });

  it('of a transparent upload keeps its colours, without those of hidden pixels', async () => {
    const own = Uint8Array.from({ length: 121 * 87 }, (_, i) => (isDiscAt(i) ? 255 - (i % 3) * 60 : 0));
    const { data } = await cut(own, { matting: BROKEN });
    for (let i = 0; i < own.length; i += 1)
      expect([...data.subarray(4 * i, 4 * i + 3)]).toEqual(
        own[i] ? [...discPhoto.data.subarray(3 * i, 3 * i + 3)] : [0, 0, 0],
      );
  });

  it('does not reveal hidden pixels when the user keeps them', async () => {
    const own = Uint8Array.from({ length: 121 * 87 }, (_, i) => (isDiscAt(i) ? 255 : 0));
    const { at } = await cut(own, { matting: BROKEN, input: { marks: { keep: [[0.1, 0.1, 0.05]] } } });
    expect(at(12, 8)).toEqual([255, 255, 255, 255]);
  });

  it('reports progress that never decreases and stays below 100', async () => {
    const reported: number[] = [];
    await cut(undefined, { matting: makeMatting(isDisc) }, reported);
    expect(reported).toEqual(reported.toSorted((one, other) => one - other));
    expect(reported.length).toBeGreaterThan(4);
    expect(reported.at(-1)).toBeLessThan(100);
  });

  it('is deterministic', async () => {
    const make = async () => readFile((await cut(undefined, { matting: makeMatting(isDisc) })).image);
    expect(Buffer.compare(await make(), await make())).toBe(0);
  });
});

describe('marks', () => {
  it('reach the network as the user drew them', async () => {
    const receivedMarks: (Marks | undefined)[] = [];
    const marks: Marks = { box: [0.1, 0.1, 0.9, 0.9], keep: [[0.5, 0.5, 0.05]] };
    await cut(undefined, { matting: makeMatting(isDisc, receivedMarks), input: { marks } });
    await cut(undefined, { matting: makeMatting(isDisc, receivedMarks) });
    expect(receivedMarks).toEqual([marks, undefined]);
  });

  it('remove everything outside the box', async () => {
    const marks: Marks = { box: [0, 0, 0.5, 1] };
    const { at } = await cut(undefined, { matting: makeMatting(isDisc), input: { marks } });
    expect(at(45, 43)[3]).toBe(255);
    for (const x of [75, 85, 110]) expect(at(x, 43)[3]).toBe(0);
  });

  it('that leave nothing are refused as an unclear product', async () => {
    const marks: Marks = { box: [0.9, 0, 1, 0.1] };
    await expect(cut(undefined, { matting: makeMatting(isDisc), input: { marks } })).rejects.toThrow(UNCLEAR_PRODUCT);
  });

  it('limit the box that is reported, without its padding', async () => {
    const { run } = await skills['find-subject']!.load();
    const pictures = { image_url: await savePicture(folder, 'photo', discPhoto) };
    const marks: Marks = { box: [0.3, 0.3, 0.6, 0.6] };
    const found = await run(makeRequest(folder, { pictures, matting: makeMatting(isDisc), input: { marks } }));
    expect(found).toMatchObject({ answer: { sure: true, box: marks.box } });
  });
});

describe('a photo that cannot be cut out', () => {
  it('because of an unclear product is refused', async () => {
    await expect(cut(undefined, { matting: BLIND })).rejects.toThrow(UNCLEAR_PRODUCT);
  });

  it("because the network fails does not count as the photo's fault", async () => {
    await expect(cut(undefined, { matting: BROKEN })).rejects.toThrow('asked');
  });
});

const BOX_SIZE = { width: 72, height: 72 };
const isBox = (x: number, y: number) => x >= 24 && x < 48 && y >= 20 && y < 60;
const drawnBox = drawRgb(BOX_SIZE, (x, y) => (isBox(x, y) ? [190, 60 + x, 50] : [0, 0, 0]));
const boxAlpha = Uint8Array.from({ length: 72 * 72 }, (_, i) => (isBox(i % 72, Math.floor(i / 72)) ? 255 : 0));

let boxPhoto: string;
beforeAll(async () => {
  boxPhoto = await savePicture(shared, 'box', drawnBox, boxAlpha);
});

async function replace(
  input: Input = {},
  changes: Partial<SkillRequest> = {},
  reported: number[] = [],
): Promise<Replaced> {
  const request = makeRequest(folder, { input, pictures: { image_url: boxPhoto }, ...changes }, reported);
  return (await replaceBackground(request)) as Replaced;
}

const bytesOf = ({ file }: Replaced) => readFile(file);

describe('a new scene', () => {
  it("is one opaque picture of the photo's shape with the product, and reports the drawn words", async () => {
    const { file, words } = await replace({ prompt: 'marble, flibbertigibbet' });
    expect(words).toEqual({ understood: ['marble'], notDrawn: ['flibbertigibbet'] });
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ channels: 3, width: info.height });
    const isRed = (i: number) => data[3 * i]! - data[3 * i + 2]! > 60;
    expect(Array.from({ length: info.width * info.height }, (_, i) => i).filter(isRed).length).toBeGreaterThan(24 * 40);
    expect(await readdir(folder)).toEqual(['scene.png']);
  });

  it('works without words', async () => {
    const plain = await replace();
    expect(plain.words).toEqual({ understood: [], notDrawn: [] });
  });
});

describe('another picture of the same input', () => {
  it('is made for every seed', async () => {
    const inputs: Input[] = [{}, { seed: 0 }, { seed: 1 }, { seed: 2 }, { seed: 4_294_967_295 }];
    const files = await Promise.all(
      inputs.map(async (input, n) => {
        const own = join(folder, String(n));
        await mkdir(own);
        return bytesOf(await replace({ prompt: 'marble', ...input }, { folder: own }));
      }),
    );
    expect(new Set(files.map((bytes) => bytes.toString('base64'))).size).toBe(5);
  });
});

describe('a placement', () => {
  it('is reported, and reproduces the picture when it is requested', async () => {
    const requested = { x: 0.3, y: 0.8, scale: 0.5, rotate: 0 };
    const own = await replace({ prompt: 'marble' });
    expect(own.placement).toMatchObject({ scale: 1, rotate: 0 });
    const bytes = await bytesOf(own);
    const { size, box, ...placement } = own.placement!;
    expect(await bytesOf(await replace({ prompt: 'marble', placement }))).toEqual(bytes);
    const reported = (await replace({ prompt: 'marble', placement: requested })).placement!;
    expect(reported.x).toBeCloseTo(0.3, 2);
    expect(reported.y).toBeCloseTo(0.8, 2);
    expect(reported.size).toBeCloseTo(size / 2, 3);
    expect(reported.box[3] - reported.box[1]).toBeCloseTo((box[3] - box[1]) / 2, 2);
    expect(reported.box[3]).toBeCloseTo(0.8, 2);
  });

  const rednessOf = async (placement?: object) => {
    const { file } = await replace({ prompt: 'marble', ...(placement && { placement }) });
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    const red = Array.from({ length: info.width * info.height }, (_, i) => i).filter(
      (i) => data[3 * i]! - data[3 * i + 2]! > 90,
    );
    const mean = red.reduce((sum, i) => sum + (i % info.width), 0) / red.length / info.width;
    return { share: red.length / info.width / info.height, mean };
  };

  it('moves the product and scales it down', async () => {
    const [own, moved] = [await rednessOf(), await rednessOf({ x: 0.2, scale: 0.5 })];
    expect(moved.mean).toBeLessThan(0.3);
    expect(own.mean).toBeGreaterThan(0.4);
    expect(moved.share / own.share).toBeLessThan(0.4);
  });
});

describe('marks in a scene', () => {
  it('are applied as in a cut-out', async () => {
    const pictures = { image_url: await savePicture(folder, 'photo', discPhoto) };
    const receivedMarks: (Marks | undefined)[] = [];
    const marks: Marks = { box: [0.1, 0.1, 0.9, 0.9] };
    await replace({ prompt: 'marble', marks }, { pictures, matting: makeMatting(isDisc, receivedMarks) });
    expect(receivedMarks).toEqual([marks]);
  });
});

/** The plan of a film, before its first frame is drawn. */

const isCup = (x: number, y: number) => x > 0.35 && x < 0.65 && y > 0.3 && y < 0.8;
let cupPhoto: string;
beforeAll(async () => {
  const size = { width: 160, height: 100 };
  const drawn = drawRgb(size, (x, y) => (isCup(x / 160, y / 100) ? [180, 40, 30] : [200 + (x % 5), 210, 220]));
  cupPhoto = await savePicture(shared, 'cup', drawn);
});

const requestFilm = (input: Input, reported: number[] = [], matting = BLIND) =>
  makeRequest(folder, { input, pictures: { image_url: cupPhoto }, matting }, reported);

describe('a film from a prompt', () => {
  const isCutOff = makeMatting((x) => x < 40);

  it('has the requested shape and length, follows the words, and reports them', async () => {
    const input = { aspect_ratio: '9:16', duration: '8' };
    const plan = await planFilm(requestFilm({ ...input, prompt: 'turn left, snow, someone drinks' }, [], isCutOff));
    expect(plan.stage.frame).toEqual({ width: 720, height: 1280 });
    expect([plan.fps, plan.script.poses.length, plan.script.effects.length]).toEqual([30, 240, 1]);
    expect(plan.words).toMatchObject({ understood: ['snow'], notDrawn: ['turn left', 'someone drinks'] });
    expect(plan.stage.product).toBeUndefined();
    expect(plan.script.poses.every(({ yaw }) => yaw === 0)).toBe(true); // a cut-off product does not turn
  });

  it('holds the camera still on request, with the whole product', async () => {
    const input = { prompt: 'static camera, snow', aspect_ratio: '1:1', duration: '5' };
    const { script, stage, words } = await planFilm(requestFilm(input, [], makeMatting(isCup)));
    expect(script.poses.every((pose) => Object.values(pose).every((value) => value === 0))).toBe(true);
    expect(words).toMatchObject({ understood: ['static camera', 'snow'], notDrawn: [] });
    const { left, top, right, bottom } = boxAt(stage, script.poses[0]!)!;
    expect(Math.min(left, top, 960 - right, 960 - bottom)).toBeGreaterThan(0);
  });
});

/** Every skill refuses an unusable picture and makes no file. */

const paths: Record<string, string> = {};
beforeAll(async () => {
  const bad = {
    text: '<html>not a picture</html>',
    empty: '',
  };
  for (const [name, bytes] of Object.entries(bad)) await writeFile((paths[name] = join(shared, name)), bytes);
  const save = async (name: string, width: number, height: number) => {
    paths[name] = await savePicture(
      shared,
      name,
      drawRgb({ width, height }, (x, y) => [(x * 2) % 200, (y * 3) % 200, 90]),
    );
  };
  await save('small', 63, 200);
  await save('long', 640, 79);
  await save('plain', 128, 128);
  const whole = await readFile(paths['plain']!);
  await writeFile((paths['damaged'] = join(shared, 'damaged')), whole.subarray(0, whole.length / 2));
  paths['blank'] = await savePicture(
    shared,
    'blank',
    drawRgb({ width: 128, height: 128 }, () => [250, 250, 250]),
  );
});

const apps = Object.keys(skills);

/** Runs a skill with the same picture in all its fields. */
async function refusalOf(app: string, picture: string): Promise<string> {
  const skill = skills[app]!;
  const { run } = await skill.load();
  const pictures = Object.fromEntries((skill.pictures ?? ['image_url']).map((name) => [name, paths[picture]!]));
  const input = { prompt: 'pan left', aspect_ratio: '1:1', duration: '5' };
  try {
    await run(makeRequest(folder, { pictures, input, matting: BLIND }));
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

const NOTHING = { answer: { sure: false, box: null, outline: null } };

/** Runs the detection skill on a picture in which the network detects nothing. */
async function detectIn(picture: string): Promise<unknown> {
  const { run } = await skills['find-subject']!.load();
  return run(makeRequest(folder, { pictures: { image_url: paths[picture]! }, matting: makeMatting(() => false) }));
}

describe.each(apps)('%s', (app) => {
  it.each([
    ['text', /^Use a JPEG/],
    ['empty', /^Use a JPEG/],
    ['damaged', /is damaged/],
    ['small', /at least 64 pixels/],
    ['long', /eight times/],
  ])('refuses an unusable file (%s)', async (picture, message) => {
    expect(await refusalOf(app, picture)).toMatch(message);
  });
});

/** What skills lack other than a product. */
const MISSING: Record<string, string> = { headshot: 'No face was found', 'try-on': 'No person was found' };
const making = apps.filter((app) => app !== 'find-subject' && app !== 'shadow');

describe('a picture without a subject', () => {
  it.each(making)('is refused if it is blank: %s', async (app) => {
    const isFilm = skills[app]!.makes === 'video';
    expect(await refusalOf(app, 'blank')).toContain(
      isFilm ? 'The picture is empty' : (MISSING[app] ?? UNCLEAR_PRODUCT),
    );
  });

  it('has no candidate', async () => {
    expect(await detectIn('blank')).toEqual(NOTHING);
    expect(await detectIn('plain')).toEqual(NOTHING);
  });

  it.each(making.filter((app) => skills[app]!.makes !== 'video'))('is refused instead of guessed: %s', async (app) => {
    expect(await refusalOf(app, 'plain')).toContain(MISSING[app] ?? UNCLEAR_PRODUCT);
  });

  it('casts no shadow if the product fills its frame', async () => {
    const alpha = Uint8Array.from({ length: 121 * 87 }, (_, i) => (i % 121 === 0 ? 0 : 255));
    const pictures = { image_url: await savePicture(folder, 'filled', discPhoto, alpha) };
    const { run } = await skills['shadow']!.load();
    const { file } = (await run(makeRequest(folder, { pictures, input: { kind: 'soft' } }))) as Replaced;
    expect(await sharp(file).metadata()).toMatchObject(DISC_SIZE);
    expect(await sharp(file).stats()).toMatchObject({ isOpaque: false, channels: Array(4).fill({ max: 0 }) });
  });
});
