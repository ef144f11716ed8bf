import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findProduct, measureSoftness, squeeze, weighLooks, type Infer } from './looks.ts';
import { makePlane, type Plane, type Rgba } from './plane.ts';

const CARD = new URL('../../../engine/assets/cutout/cutout.json', import.meta.url);

const looks = [{ side: 32 }, { side: 64 }, { side: 96 }, { side: 64, mirrored: true }, { side: 96, mirrored: true }];
const card = { looks, measuredAt: 64, refuseAbove: 0.174 };

/** White from the left border to this share of the width. */
function makePicture(width: number, height: number, share: number): Rgba {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < width * height; i += 1) data.fill(i % width < share * width ? 255 : 0, i * 4, i * 4 + 3);
  return { width, height, data };
}

/** A network that takes for product what is red enough. */
const seesRed: Infer = async (planes, side) => planes.slice(0, side * side).map((red) => (red > 0.5 ? 1 : 0));

function cover(width: number, height: number, coverAt: (x: number, y: number) => number): Plane {
  const plane = makePlane({ width, height });
  return { ...plane, data: plane.data.map((_, i) => coverAt(i % width, Math.floor(i / width))) };
}

test("the rules worked out here are those of the network's card", () => {
  const { softness, pick, score } = JSON.parse(readFileSync(CARD, 'utf8')) as Record<string, string>;
  expect(softness).toContain(
    'pixels with .1 < alpha < .9 that survive an erosion by 5x5, as a share of the pixels with alpha > .1',
  );
  expect(pick).toBe('the look with the highest agreement - 2 * softness');
  expect(score).toBe('softness of the pixelwise median of all looks + 1 - mean agreement');
});

test('shrinking takes the mean of the area, growing runs from pixel to pixel', () => {
  const picture = makePicture(4, 4, 0.25);
  expect([...squeeze(picture, 2).slice(0, 4)]).toEqual([0.5, 0, 0.5, 0]);
  const grown = squeeze(makePicture(2, 2, 0.5), 4);
  expect([...grown.slice(0, 4)]).toEqual([1, 0.75, 0.25, 0]);
  expect(grown).toHaveLength(3 * 16);
});

test('the product is found where it stands, also by the mirrored look, and two looks that agree are enough', async () => {
  const sides: number[] = [];
  const found = await findProduct(
    (planes, side) => {
      sides.push(side);
      return seesRed(planes, side);
    },
    card,
    makePicture(192, 128, 0.75),
  );
  expect(sides).toEqual([64, 96]);
  expect(found.score).toBeLessThan(0.02);
  expect(found.alpha.data[64 * 192 + 20]).toBe(1);
  expect(found.alpha.data[64 * 192 + 180]).toBe(0);
});

test('two looks that disagree are followed by a third, and the doubt shows in the score', async () => {
  const sides: number[] = [];
  const found = await findProduct(
    async (planes, side) => {
      sides.push(side);
      return planes.slice(0, side * side).fill(sides.length === 1 ? 1 : 0);
    },
    card,
    makePicture(96, 96, 0.5),
  );
  expect(sides.slice(0, 3)).toEqual([64, 96, 64]);
  expect(found.score).toBeGreaterThan(card.refuseAbove);
});

test('a small product is looked at once more from nearby', async () => {
  const sides: number[] = [];
  const found = await findProduct(
    (planes, side) => {
      sides.push(side);
      return seesRed(planes, side);
    },
    card,
    makePicture(200, 200, 0.25),
  );
  expect(sides).toEqual([64, 96, 64]);
  expect(found.grain).toBe(200 / 64);
  expect(found.alpha.data[100 * 200 + 20]).toBe(1);
});

test('of several looks the least soft one that agrees with the others is picked', () => {
  const sharp = cover(64, 64, (x) => (x < 32 ? 1 : 0));
  const soft = cover(64, 64, (x) => (x < 22 ? 1 : x > 42 ? 0 : 0.5));
  expect(weighLooks([soft, sharp, sharp], 64).alpha).toBe(sharp);
  expect(measureSoftness(sharp)).toBe(0);
  expect(measureSoftness(soft)).toBeGreaterThan(0.1);
  expect(measureSoftness(cover(64, 64, () => 0))).toBe(1);
});
