import { describe, expect, it } from 'vitest';
import type { Picture } from '../pixels/decode.ts';
import { makeRandom } from '../pixels/random.ts';
import { paintGlass } from './full-size.ts';
import { fillBehind } from './glass-background.ts';
import { findGlass } from './glass.ts';

const WIDTH = 120;
const HEIGHT = 160;

function paint(colourAt: (x: number, y: number) => readonly [number, number, number]): Picture {
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let i = 0; i < WIDTH * HEIGHT; i += 1) rgb.set(colourAt(i % WIDTH, Math.floor(i / WIDTH)), i * 3);
  return { width: WIDTH, height: HEIGHT, rgb };
}

describe('what is behind glass', () => {
  const isGlass = (x: number, y: number) => x > 40 && x < 80 && y > 30 && y < 130;
  const cover = new Float32Array(WIDTH * HEIGHT).map((_, i) => Number(isGlass(i % WIDTH, Math.floor(i / WIDTH))));

  it('keeps the table edge level and runs from one side to the other', () => {
    const picture = paint((x, y) => (isGlass(x, y) ? [255, 0, 0] : y < 80 ? [200, 200, x] : [90, 60, 40]));
    const behind = fillBehind(picture, cover);
    const at = (x: number, y: number) => [...behind.slice((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3)];
    expect(at(60, 50)[0]).toBeCloseTo(200);
    expect(at(60, 50)[2]).toBeGreaterThan(50);
    expect(at(60, 50)[2]).toBeLessThan(70);
    expect(at(60, 110)).toEqual([90, 60, 40]);
    expect(at(10, 50)).toEqual([200, 200, 10]);
  });

  it('and the glass together give the photo again', () => {
    const random = makeRandom(3);
    const picture = paint((x, y) => {
      const grain = Math.floor(random() * 20);
      return isGlass(x, y) ? [130 + grain, 140 + grain, 120 + grain] : [120, 120, 120];
    });
    const alpha = cover.map((value) => value * 0.4);
    const behind = fillBehind(picture, cover);
    const own = { ...picture, rgb: picture.rgb.slice() };
    const out = paintGlass(own, picture, { alpha, behind });
    for (let i = 0; i < picture.rgb.length; i += 1) {
      const share = out[Math.floor(i / 3)]! / 255;
      expect(Math.abs(own.rgb[i]! * share + behind[i]! * (1 - share) - picture.rgb[i]!)).toBeLessThan(1);
    }
  });
});

it('finds no glass on an empty wall, nor in noise', async () => {
  const random = makeRandom(5);
  expect(await findGlass(paint(() => [180, 176, 170]))).toBeUndefined();
  expect(
    await findGlass(paint(() => [0, 0, 0].map(() => Math.floor(random() * 256)) as [number, number, number])),
  ).toBeUndefined();
});
