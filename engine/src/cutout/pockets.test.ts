import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeMask } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import { findPockets } from './pockets.ts';

const SIZE = { width: 120, height: 100 };
const AREA = SIZE.width * SIZE.height;
type Is = (x: number, y: number) => boolean;
const isBag: Is = (x, y) => x >= 30 && x < 90 && y >= 30 && y < 80;
/** Between bag and strap, open below. */
const isPocket: Is = (x, y) => x >= 78 && x < 84 && y >= 50 && y < 80;
const isLabel: Is = (x, y) => x >= 40 && x < 60 && y >= 45 && y < 60;
const nowhere = makeMask(SIZE);

/** A brown bag on a grey ground with grain that gets lighter downwards; `inPocket` is how much that differs. */
function drawBag(inPocket = 0) {
  const random = makeRandom(7);
  return drawRgb(SIZE, (x, y) => {
    const grain = 8 * (random() - 0.5);
    if (isBag(x, y) && !isPocket(x, y) && !isLabel(x, y)) return [150 + grain, 90 + grain, 50 + grain];
    const grey = 120 + y / 2 + grain + (isPocket(x, y) ? inPocket : 0);
    return [grey, grey, grey];
  });
}

/** The network took all of it for the bag. */
const cover = drawPlane(SIZE, (x, y) => (isBag(x, y) ? 0.98 : 0.02));
const likelihood = (surely: Is, doubtful: Is = () => false) =>
  Float32Array.from({ length: AREA }, (_, i) => {
    const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
    return !isBag(x, y) || surely(x, y) ? -4 : doubtful(x, y) ? -1 : 4;
  });

const mark = (is: Is) =>
  Array.from({ length: AREA }, (_, i) => (is(i % SIZE.width, Math.floor(i / SIZE.width)) ? 1 : 0));

describe('ground in what the network took for product', () => {
  it('is found where it joins the ground, also as far as its colours are less sure', () => {
    const isUpper: Is = (x, y) => isPocket(x, y) && y < 60;
    const found = findPockets(
      drawBag(),
      cover,
      likelihood((x, y) => isPocket(x, y) && !isUpper(x, y), isUpper),
      nowhere,
    );
    expect([...found.data]).toEqual(mark(isPocket));
  });

  it('is found in a pocket of which the colours left half', () => {
    const isOpen: Is = (x, y) => isPocket(x, y) && y >= 70;
    const half = drawPlane(SIZE, (x, y) => (isOpen(x, y) ? 0.35 : isBag(x, y) ? 0.98 : 0.02));
    expect([...findPockets(drawBag(), half, likelihood(isPocket), nowhere).data]).toEqual(mark(isPocket));
  });

  it('ends where most of what follows is no more like ground than like product', () => {
    const isBeyond: Is = (x, y) => isBag(x, y) && x >= 62 && !isPocket(x, y);
    const found = findPockets(drawBag(), cover, likelihood(isPocket, isBeyond), nowhere);
    expect([...found.data]).toEqual(mark(isPocket));
  });

  it.each<[string, number, Is]>([
    ['a label that the product encloses', 0, isLabel],
    ['a part of another grey, which an edge parts from the ground', 14, isPocket],
    ['a few pixels', 0, (x, y) => x >= 80 && x < 83 && y >= 77 && y < 80],
  ])('is not %s', (_, difference, surely) => {
    expect(findPockets(drawBag(difference), cover, likelihood(surely), nowhere).data.includes(1)).toBe(false);
  });

  it('stays where a person wants to keep it', () => {
    const kept = makeMask(SIZE);
    kept.data[60 * SIZE.width + 80] = 1;
    expect(findPockets(drawBag(), cover, likelihood(isPocket), kept).data.includes(1)).toBe(false);
  });
});
