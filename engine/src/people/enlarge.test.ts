import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeFace } from '../../test/face.ts';
import type { Rgb } from '../pixels/plane.ts';
import { cutCrop } from './crops.ts';
import { enlargeHeadshot, measureEnlargement } from './enlarge.ts';

it.each([
  [{ width: 768, height: 960 }, 1.5],
  [{ width: 1152, height: 1440 }, 1],
  [{ width: 3000, height: 2000 }, 1],
  [{ width: 400, height: 900 }, 2],
  [{ width: 1, height: 1 }, 2],
])('enlarges %j to print size, twice at most', (size, times) => {
  expect(measureEnlargement(size)).toBe(times);
});

const SIZE = { width: 60, height: 70 };
const headshot = drawRgb(SIZE, () => [120, 120, 120]);
/** The user's photo, twice the headshot's scale, with stripes that the headshot cannot hold. */
const photo = drawRgb({ width: 120, height: 140 }, (x) => (x % 2 ? [170, 170, 170] : [70, 70, 70]));

/** The middle of the headshot comes from the photo, seen at `scale` of its own size. */
async function enlarge(scale: number, cover: number): Promise<Rgb> {
  const user = { picture: photo, face: makeFace({ left: 40, top: 40, width: 40, height: 60 }) };
  const crop = await cutCrop(headshot, { left: 10, top: 10, width: 40, height: 50 });
  const userCrop = await cutCrop(photo, { left: 20, top: 20, width: 80, height: 100 }, scale);
  const reach = userCrop.picture.width / crop.picture.width;
  const places = {
    x: drawPlane(crop.picture, (x) => x * reach).data,
    y: drawPlane(crop.picture, (_, y) => y * reach).data,
  };
  const share = drawPlane(crop.picture, () => cover);
  return enlargeHeadshot(headshot, 2, user, { crop, userCrop, cover: share, places });
}

/** How much neighbours in a row differ, on the mean. */
function measureRoughness({ data, width }: Rgb, left: number): number {
  let sum = 0;
  for (let x = left; x < left + 15; x += 1)
    sum += Math.abs(data[3 * (70 * width + x)]! - data[3 * (70 * width + x + 1)]!);
  return sum / 15;
}

describe('an enlarged headshot', () => {
  it('is as large as asked for', async () => {
    expect(await enlarge(0.5, 1)).toMatchObject({ width: 120, height: 140 });
  });

  it('shows what the photo shows finer, where it came from there', async () => {
    const large = await enlarge(0.5, 1);
    expect(measureRoughness(large, 45)).toBeGreaterThan(30);
    expect(measureRoughness(large, 0)).toBeLessThan(1);
    expect(measureRoughness(await enlarge(0.5, 0.2), 45)).toBeLessThan(1);
  });

  it('makes nothing up where the photo is no finer', async () => {
    expect(measureRoughness(await enlarge(1, 1), 45)).toBeLessThan(1);
  });
});
