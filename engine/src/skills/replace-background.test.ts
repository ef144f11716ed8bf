import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { makeRequest, savePicture } from '../../test/skill.ts';
import type { PictureFile } from '../pixels/encode.ts';
import { run } from './replace-background.ts';
import type { Input } from './fields.ts';
import type { SkillRequest } from './skills.ts';

const SIZE = { width: 72, height: 72 };
const isBox = (x: number, y: number) => x >= 24 && x < 48 && y >= 20 && y < 60;
const photo = drawRgb(SIZE, (x, y) => (isBox(x, y) ? [190, 60 + x, 50] : [0, 0, 0]));
const cover = Uint8Array.from({ length: 72 * 72 }, (_, i) => (isBox(i % 72, Math.floor(i / 72)) ? 255 : 0));

let shared: string;
let image: string;
let reference: string;
beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'engine-replace-'));
  image = await savePicture(shared, 'photo', photo, cover);
  reference = await savePicture(
    shared,
    'reference',
    drawRgb(SIZE, (x) => [30, 90 + (x % 9), 200]),
  );
});
afterAll(() => rm(shared, { recursive: true, force: true }));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-replace-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Replaced = { images: PictureFile[]; seed: number; understood: string[]; not_drawn: string[] };

async function replace(input: Input = {}, changes: Partial<SkillRequest> = {}, told: number[] = []): Promise<Replaced> {
  const request = makeRequest(folder, { input, pictures: { image_url: image }, ...changes }, told);
  return (await run(request)) as Replaced;
}

const bytesOf = ({ images }: Replaced) => Promise.all(images.map(({ local_path }) => readFile(local_path)));
/** The mean of every channel. */
const coloursOf = async (file: PictureFile) => (await sharp(file.local_path).stats()).channels.map(({ mean }) => mean);

describe('a new scene', () => {
  it('is one picture without holes, of the photo’s shape, in which the product is, and says what it took of the words', async () => {
    const { images, seed, understood, not_drawn: notDrawn } = await replace({ prompt: 'marble, flibbertigibbet' });
    expect(images).toMatchObject([{ file_name: 'scene.png', content_type: 'image/png', ...SIZE }]);
    expect([seed, understood, notDrawn]).toEqual([7, ['marble'], ['flibbertigibbet']]);
    const { data, info } = await sharp(images[0]!.local_path).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(3);
    const isRed = (i: number) => data[3 * i]! - data[3 * i + 2]! > 60;
    expect([...cover.keys()].filter(isRed).length).toBeGreaterThan(0.7 * 24 * 40);
    expect(await readdir(folder)).toEqual(['scene.png']);
  });

  it('is the same for the same request, and another one for another seed', async () => {
    const make = async (seed: number) => (await bytesOf(await replace({ prompt: 'marble', seed }, { seed })))[0]!;
    const [one, again, other] = [await make(11), await make(11), await make(12)];
    expect(Buffer.compare(one, again)).toBe(0);
    expect(Buffer.compare(one, other)).not.toBe(0);
    // who names a seed wants another picture than the one that comes by itself
    const [unnamed] = await bytesOf(await replace({ prompt: 'marble' }, { seed: 11 }));
    expect(Buffer.compare(one, unnamed!)).not.toBe(0);
  });

  it('is made without words, and takes its colours from a picture where one is sent', async () => {
    const plain = await replace();
    expect([plain.understood, plain.not_drawn]).toEqual([[], []]);
    const [red, , blue] = await coloursOf(plain.images[0]!);
    const pictures = { image_url: image, ref_image_url: reference };
    const [ownRed, , ownBlue] = await coloursOf((await replace({}, { pictures })).images[0]!);
    expect(ownBlue! - ownRed!).toBeGreaterThan(blue! - red! + 20);
  });
});

describe('several takes', () => {
  it('are as many pictures as asked for, all different, each with its own name', async () => {
    const made = await replace({ prompt: 'marble', num_images: 3 });
    expect(made.images.map(({ file_name: name }) => name)).toEqual(['scene-1.png', 'scene-2.png', 'scene-3.png']);
    expect(made.images.map(({ local_path: path }) => basename(path))).toEqual(await readdir(folder));
    const all = await bytesOf(made);
    expect(new Set(all.map((bytes) => bytes.toString('base64'))).size).toBe(3);
  });

  it('begin with the picture that one alone would be, and go on beyond the largest seed', async () => {
    const seed = 4_294_967_295;
    const [alone] = await bytesOf(await replace({ prompt: 'marble', num_images: 1, seed }, { seed }));
    const told: number[] = [];
    const all = await bytesOf(await replace({ prompt: 'marble', num_images: 2, seed }, { seed }, told));
    expect(all.map((bytes) => Buffer.compare(bytes, alone!) === 0)).toEqual([true, false]);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.filter((percent) => percent >= 60)).toHaveLength(4); // each take is told of twice
    expect(told.at(-1)).toBeLessThan(100);
  });
});
