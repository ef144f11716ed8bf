import { describe, expect, it } from 'vitest';
import { readShirt } from '../../test/clothes.ts';
import { drawMask } from '../../test/draw.ts';
import type { Mask, Rgb } from '../pixels/plane.ts';
import { readGarment, type Garment } from './garment.ts';
import { liesUpsideDown, looksWearable } from './recognise.ts';

const shirt = readShirt();

/** The same without an opening, its neck as wide and as deep as told, in chest widths. */
function closeNeck({ wide, deep }: { wide: number; deep: number }, garment: Garment = shirt): Garment {
  const { chest, middle, mask, opening } = garment;
  const [x, y] = [0.5 * wide * chest, garment.top + deep * chest];
  const isCut = (column: number, row: number) => Math.abs(column - middle) < x && row < y;
  return {
    ...garment,
    opening: { ...opening, data: new Uint8Array(opening.data.length) },
    neck: [
      { x: middle - x, y: garment.top },
      { x: middle + x, y: garment.top },
    ],
    mask: {
      ...mask,
      data: mask.data.map((value, i) => (isCut(i % mask.width, Math.floor(i / mask.width)) ? 0 : value)),
    },
  };
}

const sleeveless = (garment: Garment): Garment => ({ ...garment, sleeves: [undefined, undefined] });

describe('what is worn', () => {
  it('shows the inside of its back through the neck', () => {
    expect(looksWearable(shirt)).toBe(true);
    expect(looksWearable(sleeveless(shirt))).toBe(true);
  });

  it('or dips at its neck, sleeves or not', () => {
    expect(looksWearable(sleeveless(closeNeck({ wide: 0.4, deep: 0.1 })))).toBe(true);
    expect(looksWearable(sleeveless(closeNeck({ wide: 0.4, deep: 0.02 })))).toBe(false);
  });

  it('or is closed at the neck, with two sleeves, and its own mirror picture', () => {
    expect(looksWearable(closeNeck({ wide: 0.2, deep: 0 }))).toBe(true);
    expect(looksWearable(closeNeck({ wide: 0.1, deep: 0 }))).toBe(false);
    expect(looksWearable({ ...closeNeck({ wide: 0.2, deep: 0 }), sleeves: [shirt.sleeves[0], undefined] })).toBe(false);
    const lopsided = closeNeck({ wide: 0.2, deep: 0 });
    const isLeft = (i: number) => i % lopsided.mask.width < lopsided.middle - 20;
    lopsided.mask.data = lopsided.mask.data.map((value, i) => (isLeft(i) ? 0 : value));
    expect(looksWearable(lopsided)).toBe(false);
  });

  it.each([
    ['longer than any dress', { top: 0, bottom: 5 * shirt.chest }],
    [
      'wider at its neck than at its chest',
      {
        neck: [
          { x: 40, y: 20 },
          { x: 120, y: 20 },
        ] as Garment['neck'],
      },
    ],
    ['open in a band, as a hem is', { opening: band(shirt.opening) }],
    ['open all over', { opening: shirt.mask }],
    ['open by a crack', { opening: drawMask(shirt.opening, (x, y) => x > 70 && x < 90 && y > 24 && y < 28) }],
  ])('is not %s', (_, changes) => {
    expect(looksWearable(sleeveless({ ...shirt, ...changes }))).toBe(false);
  });
});

/** As wide below as above. */
function band(opening: Mask): Mask {
  return drawMask(opening, (x, y) => x >= 62 && x <= 98 && y >= 20 && y <= 44);
}

describe('upside down', () => {
  it('is no shirt with its neck above', () => {
    expect(liesUpsideDown(shirt)).toBe(false);
    expect(liesUpsideDown(readShirt({ hasSleeves: false }))).toBe(false);
  });

  it('is a shirt that was turned over', () => {
    for (const hasSleeves of [true, false]) {
      const { picture, mask } = readShirt({ hasSleeves });
      const turned = readGarment(turnRgb(picture), { ...mask, data: Float32Array.from(mask.data).reverse() });
      expect(turned && liesUpsideDown(turned)).toBe(true);
    }
  });
});

function turnRgb({ data, width, height }: Rgb): Rgb {
  const pixels = Array.from({ length: width * height }, (_, i) => [...data.subarray(3 * i, 3 * i + 3)]);
  return { width, height, data: Uint8Array.from(pixels.reverse().flat()) };
}
