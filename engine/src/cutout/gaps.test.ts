import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane, drawRgb, showMask } from '../../test/draw.ts';
import { makeRandom } from '../pixels/random.ts';
import { findGaps } from './gaps.ts';

const SIZE = { width: 400, height: 300 };
type Is = (x: number, y: number) => boolean;
const isBag: Is = (x, y) => x >= 60 && x < 340 && y >= 60 && y < 290;
/** Seen through a ring at the bag's upper edge. */
const isGap: Is = (x, y) => x >= 200 && x < 226 && y >= 64 && y < 73;
const isLabel: Is = (x, y) => x >= 190 && x < 210 && y >= 150 && y < 170;
const cover = drawPlane(SIZE, (x, y) => (isBag(x, y) ? 0.98 : 0.01));

type Drawn = {
  isSpot?: Is;
  /** What the spot's colour has more than the ground's. */
  more?: readonly [number, number, number];
  /** Half of the range of the spot's grain; that of the ground is 4. */
  grain?: number;
  /** The ground's grey at its top; it is lighter by 15 at its bottom. */
  grey?: number;
  /** Pixels that the bag's brown takes to become the spot's colour. */
  soft?: number;
};

/** A brown bag on grained ground, of which a spot has the ground's colour. */
function drawBag({ isSpot = isGap, more = [0, 0, 0], grain = 4, grey = 120, soft = 0 }: Drawn = {}) {
  const random = makeRandom(7);
  return drawRgb(SIZE, (x, y) => {
    const noise = 2 * (random() - 0.5);
    const ground = grey + y / 20;
    const brown = [150 + 4 * noise, 90 + 4 * noise, 50 + 4 * noise] as const;
    if (!isBag(x, y)) return [ground + 4 * noise, ground + 4 * noise, ground + 4 * noise];
    const away = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => isSpot(x + dx * soft, y + dy * soft)));
    const share = away.filter(Boolean).length / 9;
    const mix = (c: 0 | 1 | 2) => share * (ground + grain * noise + more[c]) + (1 - share) * brown[c];
    return [mix(0), mix(1), mix(2)];
  });
}

const find = (drawn?: Drawn, kept?: Is) => findGaps(drawBag(drawn), cover, kept && drawMask(SIZE, kept));

describe('ground that is seen through a gap', () => {
  it('is found, whole and nothing else', () => {
    expect(showMask(find())).toEqual(showMask(drawMask(SIZE, isGap)));
  });

  it.each<[string, Drawn]>([
    ['in a little shade', { more: [-6, -6, -6] }],
    ['before ground that is lighter further away', { grey: 160 }],
  ])('is found %s', (_, drawn) => {
    expect(showMask(find(drawn))).toEqual(showMask(drawMask(SIZE, isGap)));
  });

  it('is found behind another gap, as in a basket', () => {
    const isSecond: Is = (x, y) => x >= 200 && x < 226 && y >= 80 && y < 88;
    const isEither: Is = (x, y) => isGap(x, y) || isSecond(x, y);
    expect(find({ isSpot: isSecond }).data.includes(1)).toBe(false);
    expect(showMask(find({ isSpot: isEither }))).toEqual(showMask(drawMask(SIZE, isEither)));
  });

  it.each<[string, Drawn]>([
    ['a label far from the ground', { isSpot: isLabel }],
    ['a print of another hue', { more: [4, 0, -4] }],
    ['a lighter print', { more: [14, 14, 14] }],
    ['a rougher patch', { grain: 18 }],
    ['a patch that fades into the product', { soft: 6 }],
    ['a white print before white ground', { grey: 228 }],
    ['a black print before black ground', { grey: 8, grain: 0 }],
    ['what is too small to tell', { isSpot: (x, y) => isGap(x, y) && x < 205 && y < 69 }],
    ['a large label near the edge', { isSpot: (x, y) => x >= 200 && x < 240 && y >= 64 && y < 73 }],
    ['a bay of the outline', { isSpot: (x, y) => x >= 200 && x < 226 && y >= 60 && y < 73 }],
  ])('is not %s', (_, drawn) => {
    expect(find(drawn).data.includes(1)).toBe(false);
  });

  it('stays where a person wants to keep it', () => {
    expect(find({}, (x, y) => x === 205 && y === 68).data.includes(1)).toBe(false);
    expect(find({}, (x, y) => x === 205 && y === 90).data.includes(1)).toBe(true);
  });
});
