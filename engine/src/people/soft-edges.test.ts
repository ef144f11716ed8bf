import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makePlane } from '../pixels/plane.ts';
import { makeSampler, sample } from '../pixels/sample.ts';
import { fitEdges, halvePicture, mapByHalf } from './soft-edges.ts';

const SIZE = { width: 90, height: 60 };
const away = (x: number, y: number) => Math.hypot(x - 45, y - 30);
const picture = drawRgb(SIZE, (x, y) => (away(x, y) < 18 ? [180, 60, 50] : [90, 120, 160]));

describe('fitted edges', () => {
  it('bring a mask that is a little too large or too small to the edge of the colours', async () => {
    const countWrong = (data: Float32Array) =>
      data.filter((value, i) => value > 0.5 !== away(i % SIZE.width, Math.floor(i / SIZE.width)) < 18).length;
    for (const radius of [17, 19]) {
      const mask = drawPlane(SIZE, (x, y) => (away(x, y) < radius ? 1 : 0));
      expect(countWrong((await fitEdges(picture, mask)).data)).toBeLessThan(0.4 * countWrong(mask.data));
    }
  });

  it('change nothing but a narrow band along the outline', async () => {
    const fitted = await fitEdges(
      drawRgb(SIZE, (x, y) => [(37 * x) % 255, (91 * y) % 255, 40]),
      drawPlane(SIZE, (x) => (x < 45 ? 1 : 0)),
    );
    const isBand = (i: number) => Math.abs((i % SIZE.width) - 44.5) <= 4;
    expect(fitted.data.every((value, i) => isBand(i) || value === Number(i % SIZE.width < 45))).toBe(true);
    expect(fitted.data.every((value) => value >= 0 && value <= 1)).toBe(true);
  });

  it('are none where the mask is empty or full', async () => {
    expect((await fitEdges(picture, makePlane(SIZE))).data.every((value) => value === 0)).toBe(true);
    const full = drawPlane(SIZE, () => 1);
    expect((await fitEdges(picture, full)).data.every((value) => value === 1)).toBe(true);
  });

  it('take a mask of a smaller size', async () => {
    const small = drawPlane({ width: 45, height: 30 }, (x, y) => (Math.hypot(x - 22, y - 14.5) < 9 ? 1 : 0));
    const fitted = await fitEdges(picture, small);
    expect(fitted).toMatchObject(SIZE);
    expect(fitted.data[30 * SIZE.width + 45]).toBe(1);
  });
});

it('halves large pictures only', async () => {
  expect(await halvePicture(picture)).toBe(picture);
  const large = drawRgb({ width: 1001, height: 3 }, () => [1, 2, 3]);
  expect(await halvePicture(large)).toMatchObject({ width: 501, height: 2 });
});

it('asks for every pixel once, beside the half-size pixel under it', () => {
  const full = drawRgb({ width: 7, height: 5 }, () => [0, 0, 0]);
  const half = drawRgb({ width: 4, height: 3 }, () => [0, 0, 0]);
  const columns = drawPlane(half, (x) => x).data;
  const asked: number[] = [];
  const out = mapByHalf(full, half, (i, near, sampler) => {
    asked.push(i);
    expect(near % 4).toBe(Math.floor((((i % 7) + 0.5) * 4) / 7));
    return sample(sampler, columns);
  });
  expect(asked).toEqual([...full.data.subarray(0, 35).keys()]);
  const sampler = makeSampler(half, full);
  sampler.moveTo(5, 2);
  expect(out.data[2 * 7 + 5]).toBeCloseTo(sample(sampler, columns), 6);
});
