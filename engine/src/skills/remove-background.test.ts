import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { BLIND, BROKEN, makeMatting, makeRequest, savePicture } from '../../test/skill.ts';
import type { Marks } from '../cutout/marks.ts';
import type { PictureFile } from '../pixels/encode.ts';
import { run } from './remove-background.ts';
import type { SkillRequest } from './skills.ts';

const SIZE = { width: 121, height: 87 };
const isDisc = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5) < 0.3;
const isDiscAt = (i: number) => isDisc(((i % 121) + 0.5) / 121, (Math.floor(i / 121) + 0.5) / 87);
const photo = drawRgb(SIZE, (x, y) => (isDiscAt(y * 121 + x) ? [180, 40 + x, 30] : [220, 225, 230]));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-remove-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function cut(alpha?: Uint8Array, changes: Partial<SkillRequest> = {}, told: number[] = []) {
  const pictures = { image_url: await savePicture(folder, 'photo', photo, alpha) };
  const out = join(folder, 'out');
  await mkdir(out, { recursive: true });
  const { image } = (await run(makeRequest(out, { pictures, ...changes }, told))) as { image: PictureFile };
  const { data, info } = await sharp(image.local_path).raw().toBuffer({ resolveWithObject: true });
  return { image, data, info, at: (x: number, y: number) => [...data.subarray(4 * (y * 121 + x)).subarray(0, 4)] };
}

describe('a cut-out', () => {
  it('is a PNG of the photo’s size with the product on nothing', async () => {
    const { image, info, at } = await cut(undefined, { matting: makeMatting(isDisc) });
    expect(image).toMatchObject({ content_type: 'image/png', ...SIZE });
    expect(info).toMatchObject({ ...SIZE, channels: 4 });
    expect(at(60, 43)).toEqual([180, 100, 30, 255]);
    expect(at(2, 2)).toEqual([0, 0, 0, 0]);
    expect(await readdir(join(folder, 'out'))).toEqual(['cutout.png']);
  });

  it('leaves nothing of the background where it does not show', async () => {
    const { data } = await cut(undefined, { matting: makeMatting(isDisc) });
    const hidden = [...Array(121 * 87).keys()].filter((i) => data[4 * i + 3] === 0);
    expect(hidden.length).toBeGreaterThan(1000);
    expect(hidden.every((i) => data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]! === 0)).toBe(true);
  });

  it('of a picture that came without its background keeps the sender’s own, and asks no network', async () => {
    const own = Uint8Array.from({ length: 121 * 87 }, (_, i) => (isDiscAt(i) ? 255 - (i % 3) * 60 : 0));
    const { data } = await cut(own, { matting: BROKEN });
    expect(own.every((value, i) => data[4 * i + 3] === value)).toBe(true);
  });

  it('tells how far it is, never back and never all', async () => {
    const told: number[] = [];
    await cut(undefined, { matting: makeMatting(isDisc) }, told);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.length).toBeGreaterThan(4);
    expect(told.at(-1)).toBeLessThan(100);
  });

  it('is the same to the byte for the same request', async () => {
    const make = async () => readFile((await cut(undefined, { matting: makeMatting(isDisc) })).image.local_path);
    expect(Buffer.compare(await make(), await make())).toBe(0);
  });
});

describe('marks', () => {
  it('reach the network as they were shown', async () => {
    const asked: (Marks | undefined)[] = [];
    const marks = { box: [0.1, 0.1, 0.9, 0.9], keep: [[0.5, 0.5, 0.05]] };
    await cut(undefined, { matting: makeMatting(isDisc, asked), input: { marks } });
    await cut(undefined, { matting: makeMatting(isDisc, asked) });
    expect(asked).toEqual([marks, undefined]);
  });

  it('are obeyed: nothing outside of the box stays', async () => {
    const marks = { box: [0, 0, 0.5, 1] };
    const { at } = await cut(undefined, { matting: makeMatting(isDisc), input: { marks } });
    expect(at(45, 43)[3]).toBe(255);
    for (const x of [75, 85, 110]) expect(at(x, 43)[3]).toBe(0);
  });

  it('that leave nothing are refused as a product that nobody finds', async () => {
    const marks = { box: [0.9, 0, 1, 0.1] };
    await expect(cut(undefined, { matting: makeMatting(isDisc), input: { marks } })).rejects.toMatchObject({
      entry: { loc: ['body', 'image_url'], type: 'no_media_generated' },
    });
  });
});

describe('a photo that cannot be cut out', () => {
  it('because nothing stands out is refused by its field', async () => {
    await expect(cut(undefined, { matting: BLIND })).rejects.toMatchObject({
      entry: { loc: ['body', 'image_url'], type: 'no_media_generated' },
    });
  });

  it('because the network fails is no fault of the photo', async () => {
    await expect(cut(undefined, { matting: BROKEN })).rejects.toThrow('asked');
  });
});
