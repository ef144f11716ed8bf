import { describe, expect, it } from 'vitest';
import { refuseBlank } from '../pixels/blank.ts';
import { drawRgb } from '../../test/draw.ts';
import { flattenPicture, trimFrame } from './prepare.ts';

const even = (width: number, height: number, value: number) => new Uint8Array(width * height * 3).fill(value);

describe('preparing a picture for filming', () => {
  it('lays transparency on white and keeps it as the matte', async () => {
    const alpha = Uint8Array.from({ length: 100 * 100 }, (_, i) => (i % 100 < 50 ? 0 : 255));
    const flat = await flattenPicture({ width: 100, height: 100, data: even(100, 100, 30), alpha });
    expect([...flat.data.subarray(0, 3), ...flat.data.subarray(297, 300)]).toEqual([255, 255, 255, 30, 30, 30]);
    expect(flat.alpha).toEqual(alpha);
  });

  it('refuses an empty sheet, and nothing that shows anything', () => {
    expect(() => refuseBlank({ width: 64, height: 64, data: even(64, 64, 254) }, 'image_url')).toThrow('empty');
    const speck = even(64, 64, 254);
    speck[300] = 200;
    expect(() => refuseBlank({ width: 64, height: 64, data: speck }, 'image_url')).not.toThrow();
  });

  it('lays what is half transparent half on white', async () => {
    const alpha = new Uint8Array(100).fill(128);
    const flat = await flattenPicture({ width: 10, height: 10, data: even(10, 10, 55), alpha });
    expect(flat.data.every((value) => value === 155)).toBe(true);
    expect(flat.alpha).toEqual(alpha);
  });

  it('makes a large one smaller, in its shape, and its transparency with it', async () => {
    const alpha = new Uint8Array(4096 * 512).fill(255, 2048 * 512);
    const flat = await flattenPicture({ width: 4096, height: 512, data: even(4096, 512, 90), alpha });
    expect(flat).toMatchObject({ width: 2048, height: 256 });
    expect([flat.data.length, flat.alpha!.length]).toEqual([2048 * 256 * 3, 2048 * 256]);
    expect([flat.alpha![0], flat.alpha!.at(-1)]).toEqual([0, 255]);
  });

  it('hands back what needs nothing', async () => {
    const picture = { width: 100, height: 60, data: even(100, 60, 30) };
    expect(await flattenPicture(picture)).toBe(picture);
  });
});

describe('a black frame', () => {
  const size = { width: 120, height: 90 };
  const photo = (isFrame: (x: number, y: number) => boolean) =>
    drawRgb(size, (x, y) => (isFrame(x, y) ? [8, 8, 8] : [150 + (x % 7), 150, 150]));

  it('is left out', async () => {
    const framed = await trimFrame(photo((x, y) => x < 6 || x >= 114 || y < 6 || y >= 84));
    expect([framed.width, framed.height]).toEqual([100, 70]);
    expect(Math.min(...framed.data)).toBeGreaterThan(140);
  });

  it.each<[string, ReturnType<typeof photo>]>([
    ['nothing dark at its edge', photo(() => false)],
    ['a dark wall all over', photo(() => true)],
    ['a thing before a dark wall', photo((x, y) => Math.hypot(x - 60, y - 45) > 30)],
    ['a dark half', photo((x) => x < 60)],
    ['a white frame', drawRgb(size, (x) => (x < 6 || x >= 114 ? [255, 255, 255] : [90, 150, 90]))],
  ])('is none in a photo with %s', async (_, picture) => {
    expect(await trimFrame(picture)).toBe(picture);
  });
});
