import { describe, expect, it } from 'vitest';
import { refuseBlank } from '../pixels/blank.ts';
import { cropSquare, flattenPicture } from './prepare.ts';

const even = (width: number, height: number, value: number) => new Uint8Array(width * height * 3).fill(value);

describe('preparing a picture for filming', () => {
  it('cuts the centre square of a wide one', async () => {
    const rgb = even(120, 80, 10);
    for (let y = 0; y < 80; y += 1) rgb.fill(200, (y * 120 + 20) * 3, (y * 120 + 100) * 3);
    const square = await cropSquare({ width: 120, height: 80, data: rgb }, 80);
    expect(square).toMatchObject({ width: 80, height: 80 });
    expect(square.data.every((value) => value === 200)).toBe(true);
  });

  it('makes a small one as large as it is asked to', async () => {
    const square = await cropSquare({ width: 64, height: 90, data: even(64, 90, 77) }, 768);
    expect(square.data).toHaveLength(768 * 768 * 3);
  });

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

  it('cuts the centre of a tall one too, with its transparency', async () => {
    const isMiddle = (y: number) => y >= 35 && y < 105;
    const alpha = Uint8Array.from({ length: 70 * 140 }, (_, i) => (isMiddle(Math.floor(i / 70)) ? 255 : 0));
    const square = await cropSquare({ width: 70, height: 140, data: even(70, 140, 40), alpha }, 70);
    expect(square.alpha!.every((value) => value === 255)).toBe(true);
    expect(square.data.every((value) => value === 40)).toBe(true);
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
    expect((await cropSquare({ ...picture, width: 60, height: 100 }, 60)).alpha).toBeUndefined();
  });
});
