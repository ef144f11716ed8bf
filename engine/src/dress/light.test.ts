import { describe, expect, it } from 'vitest';
import { makeWearer, PERSON, ROOM } from '../../test/clothes.ts';
import { drawMask, drawRgb, fillWith } from '../../test/draw.ts';
import { byteToLight, lightToByte } from '../pixels/colour.ts';
import { makeMask, makePlane, type Rgb } from '../pixels/plane.ts';
import { measureLight } from './wear.ts';

const wearer = makeWearer();

/** Multiplies the picture's linear light. */
function light(picture: Rgb, gain: (x: number, y: number) => number): Rgb {
  const { width } = picture;
  const data = picture.data.map((byte, n) => {
    const i = Math.floor(n / 3);
    return lightToByte(byteToLight(byte) * gain(i % width, Math.floor(i / width)));
  });
  return { ...picture, data };
}

const readAt = (plane: Float32Array, x: number, y: number) => plane[y * ROOM.width + x]!;
const onShirt = (plane: Float32Array) => Array.from({ length: 60 }, (_, n) => readAt(plane, PERSON.middle, 85 + n));

describe('measured light', () => {
  it('is uniform on a plain shirt in even light', () => {
    expect(onShirt(measureLight(wearer)).every((value) => Math.abs(value) < 0.02)).toBe(true);
  });

  it('ignores narrow folds', () => {
    const picture = light(wearer.picture, (_, y) => 1 + 0.12 * Math.sin(y));
    expect(onShirt(measureLight({ ...wearer, picture })).every((value) => Math.abs(value) < 0.05)).toBe(true);
  });

  it('follows a lamp from one side', () => {
    const picture = light(wearer.picture, (x) => 0.6 + (0.4 * x) / ROOM.width);
    const found = measureLight({ ...wearer, picture });
    expect(readAt(found, PERSON.middle + 25, 120)).toBeGreaterThan(readAt(found, PERSON.middle - 25, 120) + 0.03);
  });

  it('ignores a print of another colour', () => {
    const print = drawMask(ROOM, (x, y) => Math.abs(x - PERSON.middle) < 8 && y > 105 && y < 125);
    const found = measureLight({ ...wearer, picture: fillWith(wearer.picture, print, [230, 60, 40]) });
    expect(onShirt(found).every((value) => Math.abs(value) < 0.08)).toBe(true);
  });

  it('stays within bounds for any picture, including noise and black', () => {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const noise = drawRgb(ROOM, () => [255 * random(), 255 * random(), 255 * random()]);
    const black = drawRgb(ROOM, () => [0, 0, 0]);
    for (const picture of [noise, black]) {
      const found = measureLight({ ...wearer, picture });
      expect(found.every((value) => Math.abs(value) < 1.5)).toBe(true);
    }
  });

  it('is zero if no part of the person is visible', () => {
    const nobody = { ...wearer, top: makePlane(ROOM), bare: makeMask(ROOM), lower: makeMask(ROOM) };
    expect(measureLight(nobody).every((value) => value === 0)).toBe(true);
  });

  it('does not change if the whole picture is darker', () => {
    const lamp = (x: number, y: number) => 0.7 + (0.3 * x) / ROOM.width + 0.05 * Math.sin(y / 3);
    const [own, dim] = [1, 0.75].map((share) =>
      measureLight({ ...wearer, picture: light(wearer.picture, (x, y) => share * lamp(x, y)) }),
    );
    for (const [n, value] of onShirt(own!).entries()) expect(Math.abs(onShirt(dim!)[n]! - value)).toBeLessThan(0.06);
  });

  it('is mirrored for a mirrored picture', () => {
    const picture = light(wearer.picture, (x) => 0.6 + (0.4 * x) / ROOM.width);
    const mirrored = light(wearer.picture, (x) => 0.6 + (0.4 * (ROOM.width - 1 - x)) / ROOM.width);
    const [own, other] = [measureLight({ ...wearer, picture }), measureLight({ ...wearer, picture: mirrored })];
    for (const away of [-25, -10, 0, 10, 25]) {
      const [here, there] = [readAt(own, PERSON.middle + away, 130), readAt(other, PERSON.middle - away, 130)];
      expect(Math.abs(here - there)).toBeLessThan(0.05);
    }
  });

  it('extends beyond the old clothes, and leaves the input unchanged', () => {
    const before = wearer.picture.data.slice();
    const found = measureLight(wearer);
    expect(found).toHaveLength(ROOM.width * ROOM.height);
    expect(found.every(Number.isFinite)).toBe(true);
    expect(Buffer.compare(wearer.picture.data, before)).toBe(0);
  });
});
