import { expect, test } from 'vitest';
import type { Rgb } from '../../../engine/src/pixels/plane.ts';
import { resizeRgb, shrinkRgb } from './resize.ts';

/** White from the left border to this share of the width; green rises by a step a row. */
function makePicture(width: number, height: number, share: number): Rgb {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    const red = i % width < share * width ? 255 : 0;
    data.set([red, 10 * Math.floor(i / width), 7], i * 3);
  }
  return { width, height, data };
}

const pixelsOf = ({ data }: Rgb, channel: number) => [...data].filter((_, i) => i % 3 === channel);

test('shrinking takes the mean of the area', () => {
  const small = resizeRgb(makePicture(4, 4, 0.25), { width: 2, height: 2 });
  expect(pixelsOf(small, 0)).toEqual([128, 0, 128, 0]);
  expect(pixelsOf(small, 1)).toEqual([5, 5, 25, 25]);
  expect(pixelsOf(small, 2)).toEqual([7, 7, 7, 7]);
  expect(pixelsOf(resizeRgb(makePicture(3, 1, 1 / 3), { width: 2, height: 1 }), 0)).toEqual([170, 0]);
});

test('growing runs from pixel to pixel, and one pixel fills everything', () => {
  const grown = resizeRgb(makePicture(2, 2, 0.5), { width: 4, height: 2 });
  expect(pixelsOf(grown, 0)).toEqual([255, 191, 64, 0, 255, 191, 64, 0]);
  expect(pixelsOf(resizeRgb(makePicture(1, 1, 1), { width: 3, height: 2 }), 0)).toEqual(Array(6).fill(255));
});

test('width and height may change each in its own way', () => {
  const picture = resizeRgb(makePicture(6, 2, 0.5), { width: 2, height: 4 });
  expect(pixelsOf(picture, 0)).toEqual([255, 0, 255, 0, 255, 0, 255, 0]);
  expect(pixelsOf(picture, 1)).toEqual([0, 0, 3, 3, 8, 8, 10, 10]);
});

test('a picture is shrunk to its long side, never grown', () => {
  const picture = makePicture(40, 20, 0.5);
  expect(shrinkRgb(picture, 10)).toMatchObject({ width: 10, height: 5 });
  expect(shrinkRgb(picture, 64)).toBe(picture);
});
