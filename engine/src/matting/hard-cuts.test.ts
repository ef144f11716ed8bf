import { beforeAll, describe, expect, it } from 'vitest';
import { toLabPlanes } from '../pixels/lab.ts';
import { makeRandom } from '../pixels/random.ts';
import type { Picture } from '../pixels/decode.ts';
import { loadOpenCv } from '../pixels/opencv.ts';
import { learnBackdrop } from './background.ts';
import { cutByColours } from './colour-cut.ts';
import { cutFromDark } from './dark-cut.ts';
import { measureUnlikeNear } from './near-colours.ts';
import { overlap } from './regions.ts';

const SIDE = 160;

beforeAll(loadOpenCv);

type Paint = (isProduct: boolean, x: number, random: () => number) => readonly [number, number, number];

/** A disc in the middle of a square. */
function paintDisc(paint: Paint): { picture: Picture; truth: Uint8Array } {
  const random = makeRandom(7);
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  const truth = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < truth.length; i += 1) {
    const x = i % SIDE;
    truth[i] = Math.hypot(x - SIDE / 2, Math.floor(i / SIDE) - SIDE / 2) < 36 ? 1 : 0;
    rgb.set(
      paint(truth[i] === 1, x, random).map((value) => Math.round(value)),
      i * 3,
    );
  }
  return { picture: { width: SIDE, height: SIDE, rgb }, truth };
}

describe('products that their background hides', () => {
  it('are lifted out of darkness when they are a little lighter than what is near them', () => {
    const { picture, truth } = paintDisc((isProduct, _, random) => {
      const value = (isProduct ? 30 : 14) + 2 * random();
      return [value, value, value];
    });
    const cut = cutFromDark(picture, toLabPlanes(picture));
    expect(overlap(cut?.mask ?? new Uint8Array(truth.length), truth)).toBeGreaterThan(0.9);
  });

  it('are not lifted out of a picture that is not dark', () => {
    const { picture } = paintDisc((isProduct) => (isProduct ? [120, 120, 120] : [200, 200, 200]));
    expect(cutFromDark(picture, toLabPlanes(picture))).toBeUndefined();
  });

  it('are told by their colour from a background that is all edges', () => {
    const { picture, truth } = paintDisc((isProduct, _, random) => {
      if (isProduct) return [240, 238, 230];
      return random() < 0.5 ? [150, 80, 60] : [90, 50, 40];
    });
    const lab = toLabPlanes(picture);
    const mask = cutByColours(picture, lab, learnBackdrop(lab, SIDE, SIDE));
    expect(overlap(mask ?? new Uint8Array(truth.length), truth)).toBeGreaterThan(0.9);
  });
});

it('knows a colour near the place where it was seen, and less and less further away', () => {
  const { picture } = paintDisc(() => [128, 128, 128]);
  const known = new Uint8Array(SIDE * SIDE).map((_, i) => (i % SIDE < 40 ? 1 : 0));
  const everywhere = known.map(() => 1);
  const unlike = measureUnlikeNear(toLabPlanes(picture), known, everywhere, SIDE, SIDE);
  const row = 80 * SIDE;
  expect(unlike[row + 10]).toBeLessThan(1);
  expect(unlike[row + 90]).toBeGreaterThan(unlike[row + 45]!);
  expect(unlike[row + 155]).toBe(40);
});
