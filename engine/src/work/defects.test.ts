import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPictures } from './defects.ts';
import { savePng } from '../pixels/encode.ts';

const WIDTH = 96;
const HEIGHT = 64;
let folder: string;
let input: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-defects-'));
  input = join(folder, 'input.jpg');
  const raw = { raw: { width: WIDTH, height: HEIGHT, channels: 3 as const } };
  await sharp(paint(3, shade), raw).jpeg().toFile(input);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function shade(x: number, y: number): number[] {
  return [2 * x + 20, 3 * y + 20, 120];
}

function paint(channels: 3 | 4, colour: (x: number, y: number) => number[]): Uint8Array {
  const data = new Uint8Array(WIDTH * HEIGHT * channels);
  for (let i = 0; i < WIDTH * HEIGHT; i += 1) data.set(colour(i % WIDTH, Math.floor(i / WIDTH)), i * channels);
  return data;
}

function save(name: string, channels: 3 | 4, colour: (x: number, y: number) => number[]) {
  return savePng(folder, name, { data: paint(channels, colour), width: WIDTH, height: HEIGHT, channels });
}

describe('the last look at a result', () => {
  it('lets a cut-out and a scene pass', async () => {
    const image = await save('cutout.png', 4, (x, y) => [...shade(x, y), x > 30 ? 255 : 0]);
    const scene = await save('scene.png', 3, (x, y) => [255 - x, 200, 2 * y]);
    await expect(checkPictures({ image, images: [scene] }, { image_url: input })).resolves.toBeUndefined();
  });

  it.each([
    ['is fully transparent', 4, () => [90, 80, 70, 0], /fully transparent/],
    ['is black', 3, () => [3, 2, 4], /black/],
    ['shows nothing but black cover', 4, (x: number) => [0, 0, 0, x > 9 ? 255 : 0], /black/],
  ] as const)('stops a picture that %s', async (name, channels, colour, reason) => {
    const image = await save(`${name}.png`, channels, colour);
    await expect(checkPictures({ image }, { image_url: input })).rejects.toThrow(reason);
  });

  it('stops the input handed back, also among several pictures and after a change of format', async () => {
    const same = await sharp(input).raw().toBuffer();
    const unchanged = await savePng(folder, 'same.png', { data: same, width: WIDTH, height: HEIGHT, channels: 3 });
    const scene = await save('other.png', 3, (x, y) => [255 - x, 200, 2 * y]);
    const images = [scene, unchanged];
    await expect(checkPictures({ images }, { image_url: input })).rejects.toThrow(/unchanged/);
    same[1000] = same[1000]! ^ 64;
    const touched = await savePng(folder, 'touched.png', { data: same, width: WIDTH, height: HEIGHT, channels: 3 });
    await expect(checkPictures({ images: [touched] }, { image_url: input })).resolves.toBeUndefined();
  });

  it('stops a cut-out that has lost nothing of an opaque input, and keeps one that came without its background', async () => {
    const opaque = await sharp(input).ensureAlpha().raw().toBuffer();
    const image = await savePng(folder, 'opaque.png', { data: opaque, width: WIDTH, height: HEIGHT, channels: 4 });
    await expect(checkPictures({ image }, { image_url: input })).rejects.toThrow(/unchanged/);
    const cutout = await save('own.png', 4, (x, y) => (x > 30 ? [...shade(x, y), 255] : [0, 0, 0, 0]));
    await expect(checkPictures({ image: cutout }, { image_url: cutout.local_path })).resolves.toBeUndefined();
  });

  it('stops a file that is missing, damaged, of another size or of another type than announced', async () => {
    const image = await save('good.png', 3, (x, y) => [255 - x, 200, 2 * y]);
    const check = (change: Partial<typeof image>) =>
      checkPictures({ image: { ...image, ...change } }, { image_url: input });
    await expect(check({})).resolves.toBeUndefined();
    await expect(check({ width: WIDTH + 1 })).rejects.toThrow(/instead of 97x64/);
    await expect(check({ content_type: 'image/webp' })).rejects.toThrow(/png instead of image\/webp/);
    await expect(check({ local_path: join(folder, 'none.png') })).rejects.toThrow(/cannot be read/);
    const whole = await sharp(image.local_path).toBuffer();
    await writeFile(join(folder, 'torn.png'), whole.subarray(0, whole.length / 2));
    await expect(check({ local_path: join(folder, 'torn.png') })).rejects.toThrow(/cannot be read/);
  });

  it('leaves videos to those who make them', async () => {
    const video = { local_path: join(folder, 'none.mp4'), content_type: 'video/mp4' };
    await expect(checkPictures({ video }, { image_url: input })).resolves.toBeUndefined();
  });
});
