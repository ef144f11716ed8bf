import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeRandom } from '../pixels/random.ts';
import type { Plane } from '../pixels/plane.ts';
import { openSeenThrough } from './see-through.ts';

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

const meanOf = ({ data }: Plane, isAsked: (x: number, y: number) => boolean) => {
  const values = [...data].filter((_cover, i) => isAsked(i % SIZE.width, Math.floor(i / SIZE.width)));
  return values.reduce((sum, cover) => sum + cover, 0) / values.length;
};
const inRing = (x: number, y: number) => away(x, y) < INNER - 5;
const onRing = (x: number, y: number) => away(x, y) > INNER + 5 && away(x, y) < OUTER - 5;

describe('a ring that the network takes for a disc', () => {
  it('is opened where the horizon runs on in it, and nowhere else', async () => {
    const opened = await openSeenThrough(makePicture(horizon, horizon), disc);
    expect(meanOf(opened, inRing)).toBeLessThan(0.05);
    expect(meanOf(opened, onRing)).toBeGreaterThan(0.98);
  });

  it('is opened where stripes of the wall run down through it', async () => {
    const stripes: Paint = (x) => (Math.floor(x / 24) % 2 ? [205, 198, 185] : [120, 140, 150]);
    expect(meanOf(await openSeenThrough(makePicture(stripes, stripes), disc), inRing)).toBeLessThan(0.1);
  });

  it.each<[string, Paint, Paint]>([
    ['a label in the plain wall’s colour', plain, plain],
    ['a label in one of the ground’s colours', horizon, plain],
    ['a print of the ground at another height', horizon, (x, y) => horizon(x, y - 32)],
    ['a print of the ground upside down', horizon, (x, y) => horizon(x, 2 * HORIZON - y)],
  ])('keeps %s', async (_, ground, inside) => {
    const picture = makePicture(ground, inside);
    expect((await openSeenThrough(picture, disc)).data).toEqual(disc.data);
  });

  it('stays closed where a person wants to keep what is in it', async () => {
    const picture = makePicture(horizon, horizon);
    const keep: [number, number, number][] = [[MIDDLE_X / SIZE.width, (HORIZON + 20) / SIZE.height, 0.01]];
    expect(meanOf(await openSeenThrough(picture, disc, { keep }), inRing)).toBeGreaterThan(0.98);
    const elsewhere: typeof keep = [[MIDDLE_X / SIZE.width, (MIDDLE_Y - 95) / SIZE.height, 0.01]];
    expect(meanOf(await openSeenThrough(picture, disc, { keep: elsewhere }), inRing)).toBeLessThan(0.05);
  });

  it.each([0, 1])('is left alone when all the picture is said to be %i', async (cover) => {
    const all = drawPlane(SIZE, () => cover);
    expect((await openSeenThrough(makePicture(horizon, horizon), all)).data).toEqual(all.data);
  });
});
