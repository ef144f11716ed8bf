import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeRandom } from '../pixels/random.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import type { Mask, Plane, Rgb } from '../pixels/plane.ts';
import { helpByColours } from './colours.ts';
import { drawKept } from './marks.ts';
import { findSeenThrough } from './see-through.ts';
import { learnSides } from './sides.ts';

const SIZE = { width: 480, height: 400 };
const [MIDDLE_X, MIDDLE_Y, OUTER, INNER] = [240, 200, 130, 60];
const HORIZON = 190;
const away = (x: number, y: number) => Math.hypot(x + 0.5 - MIDDLE_X, y + 0.5 - MIDDLE_Y);

type Paint = (x: number, y: number) => number[];
const horizon: Paint = (_x, y) => (y < HORIZON ? [205, 198, 185] : [95, 65, 45]);
const plain: Paint = () => [205, 198, 185];

/** A clay ring before a ground, with grain; what is seen in the ring is painted by itself. */
function makePicture(ground: Paint, inside: Paint) {
  const random = makeRandom(5);
  return drawRgb(SIZE, (x, y) => {
    const colour = away(x, y) < INNER ? inside(x, y) : away(x, y) < OUTER ? [200 - y / 8, 120, 80] : ground(x, y);
    const grain = 10 * (random() - 0.5);
    return [colour[0]! + grain, colour[1]! + grain, colour[2]! + grain];
  });
}

/** The network takes the whole disc. */
const disc = drawPlane(SIZE, (x, y) => Math.min(1, Math.max(0, 0.5 + (OUTER - away(x, y)) / 6)));

const inRing = (x: number, y: number) => away(x, y) < INNER - 5;
const onRing = (x: number, y: number) => away(x, y) > INNER + 5 && away(x, y) < OUTER - 5;
const shareOf = ({ width, data }: Plane | Mask, isAsked: (x: number, y: number) => boolean) => {
  const scale = SIZE.width / width;
  const values = [...data].filter((_value, i) => isAsked(scale * (i % width), scale * Math.floor(i / width)));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
};

type Keep = [number, number, number][];

async function find(picture: Rgb, keep: Keep = []): Promise<Mask | undefined> {
  const small = await shrinkRgb(picture, 320);
  const learnt = learnSides(small, disc);
  if (!learnt) throw new Error('the disc has two sides');
  return findSeenThrough(small, learnt, drawKept({ keep }, picture, small));
}

describe('a ring that the network takes for a disc', () => {
  it('is opened where the horizon runs on in it, and nowhere else', async () => {
    const { alpha } = await helpByColours({ shrink: shrinkRgb }, makePicture(horizon, horizon), disc);
    expect(shareOf(alpha, inRing)).toBeLessThan(0.05);
    expect(shareOf(alpha, onRing)).toBeGreaterThan(0.98);
  });

  it('is opened where stripes of the wall run down through it', async () => {
    const stripes: Paint = (x) => (Math.floor(x / 24) % 2 ? [205, 198, 185] : [120, 140, 150]);
    const seenThrough = await find(makePicture(stripes, stripes));
    expect(seenThrough && shareOf(seenThrough, inRing)).toBeGreaterThan(0.9);
    expect(seenThrough && shareOf(seenThrough, onRing)).toBeLessThan(0.02);
  });

  it.each<[string, Paint, Paint]>([
    ['a label in the plain wall’s colour', plain, plain],
    ['a label in one of the ground’s colours', horizon, plain],
    ['a print of the ground at another height', horizon, (x, y) => horizon(x, y - 32)],
    ['a print of the ground upside down', horizon, (x, y) => horizon(x, 2 * HORIZON - y)],
  ])('keeps %s', async (_, ground, inside) => {
    expect(await find(makePicture(ground, inside))).toBeUndefined();
  });

  it('stays closed where a person wants to keep what is in it', async () => {
    const picture = makePicture(horizon, horizon);
    expect(await find(picture, [[MIDDLE_X / SIZE.width, (HORIZON + 20) / SIZE.height, 0.01]])).toBeUndefined();
    const elsewhere: Keep = [[MIDDLE_X / SIZE.width, (MIDDLE_Y - 95) / SIZE.height, 0.01]];
    expect(await find(picture, elsewhere)).toBeDefined();
  });
});

it.each([0, 1])('what is said to be %i everywhere is left alone', async (cover) => {
  const all = drawPlane(SIZE, () => cover);
  expect((await helpByColours({ shrink: shrinkRgb }, makePicture(horizon, horizon), all)).alpha).toEqual(all);
});
