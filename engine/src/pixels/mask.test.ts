import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMask, readMask, showMask } from '../../test/draw.ts';
import { makeRandom } from './random.ts';
import {
  close,
  countOnes,
  dilate,
  distanceInside,
  erode,
  fillHoles,
  findBox,
  findRegions,
  invert,
  keepWhere,
  listBorder,
  open,
  overlap,
  threshold,
} from './mask.ts';
import type { Mask } from './plane.ts';

const SIZE = { width: 23, height: 17 };

function draw(inside: (x: number, y: number) => boolean): Mask {
  const data = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, i) =>
    inside(i % SIZE.width, Math.floor(i / SIZE.width)) ? 1 : 0,
  );
  return { ...SIZE, data };
}

const block = draw((x, y) => x >= 5 && x <= 13 && y >= 4 && y <= 10);

it('measures the distance to the nearest outside pixel in every direction', () => {
  const random = makeRandom(3);
  const mask = draw(() => random() < 0.93);
  const depth = distanceInside(mask).data;
  const outside = [...mask.data.keys()].filter((i) => !mask.data[i]);
  for (const i of mask.data.keys()) {
    const straight = Math.min(
      ...outside.map((o) => Math.hypot((o % 23) - (i % 23), Math.floor(o / 23) - Math.floor(i / 23))),
    );
    expect(Math.abs(depth[i]! - straight)).toBeLessThanOrEqual(0.09 * straight);
  }
});

it('erodes a border and restores it by dilation', () => {
  expect(findBox(erode(block, 2), 0)).toEqual({ left: 7, top: 6, width: 5, height: 3 });
  expect(findBox(dilate(block, 2), 0)).toEqual({ left: 3, top: 2, width: 13, height: 11 });
  const withHair = draw((x, y) => (x >= 5 && x <= 13 && y >= 4 && y <= 10) || (y === 7 && x < 20));
  // one pixel of the hair stays at its root
  expect(findBox(open(withHair, 1), 0)).toEqual({ left: 4, top: 4, width: 11, height: 7 });
  const withSlit = draw((x, y) => x >= 5 && x <= 13 && y >= 4 && y <= 10 && x !== 9);
  expect(overlap(close(withSlit, 1), block)).toBeCloseTo(61 / 63); // the slit's two ends stay open
});

it('separates regions, and holes from bays', () => {
  const ring = draw((x, y) => x >= 3 && x <= 9 && y >= 3 && y <= 9 && !(x >= 5 && x <= 7 && y >= 5 && y <= 7));
  expect(findRegions(ring).map((pixels) => pixels.length)).toEqual([40]);
  expect(findRegions(invert(ring)).map((pixels) => pixels.length)).toEqual([23 * 17 - 49, 9]);
  const open = draw((x, y) => ring.data[y * 23 + x] === 1 && !(x === 6 && y > 7));
  expect(fillHoles(ring).data.filter(Boolean)).toHaveLength(49);
  expect(fillHoles(open).data).toEqual(open.data);
});

it('does not connect regions across row ends or diagonally', () => {
  const apart = readMask(['..##', '##..', '..#.', '....']);
  expect(findRegions(apart)).toEqual([[2, 3], [4, 5], [10]]);
  const column = readMask(['#..', '#.#', '#..']);
  expect(findRegions(column)).toEqual([[0, 3, 6], [5]]);
});

it('finds no box of an empty mask, and clips margins at the border', () => {
  expect(
    findBox(
      draw(() => false),
      3,
    ),
  ).toBeUndefined();
  expect(findBox(block, 5)).toEqual({ left: 0, top: 0, width: 19, height: 16 });
});

it('finds the box of values above a minimum', () => {
  const faint = { ...SIZE, data: draw((x, y) => x >= 2 && x <= 20 && y >= 1).data.map((value) => value * 20) };
  const block = draw((x, y) => x >= 5 && x <= 13 && y >= 4 && y <= 10).data;
  const plane = { ...SIZE, data: faint.data.map((value, i) => (block[i] ? 200 : value)) };
  expect(findBox(plane, 0, 24)).toEqual({ left: 5, top: 4, width: 9, height: 7 });
  expect(findBox(plane, 0, 20)).toEqual({ left: 2, top: 1, width: 19, height: 16 });
  expect(findBox(faint, 0, 24)).toBeUndefined();
});

it('marks values above a level, and keeps only marked pixels', () => {
  const ramp = { width: 5, height: 1, data: Float32Array.of(0, 0.25, 0.5, 0.75, 1) };
  const upper = threshold(ramp, 0.5);
  expect(upper).toEqual({ width: 5, height: 1, data: Uint8Array.of(0, 0, 0, 1, 1) });
  expect(keepWhere(upper, (i) => i < 4).data).toEqual(Uint8Array.of(0, 0, 0, 1, 0));
});

const anyMask = fc
  .record({
    width: fc.integer({ min: 1, max: 20 }),
    height: fc.integer({ min: 1, max: 20 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(),
  })
  .map(({ width, height, share, seed }) => {
    const random = makeRandom(seed);
    return drawMask({ width, height }, () => random() < share);
  });
const radius = fc.double({ min: 0, max: 4, noNaN: true });
const holds = (outer: Mask, inner: Mask) => inner.data.every((value, i) => !value || outer.data[i] === 1);
const isSame = (one: Mask, other: Mask) => holds(one, other) && holds(other, one);

describe('for any shape', () => {
  it('erosion lies inside, dilation around, monotonically with the radius', () => {
    fc.assert(
      fc.property(anyMask, radius, radius, (mask, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(holds(mask, erode(mask, less)) && holds(erode(mask, less), erode(mask, more))).toBe(true);
        expect(holds(dilate(mask, less), mask) && holds(dilate(mask, more), dilate(mask, less))).toBe(true);
      }),
    );
  });

  it('opening lies inside, closing around, and both are idempotent', () => {
    fc.assert(
      fc.property(anyMask, radius, (mask, by) => {
        const [opened, closed] = [open(mask, by), close(mask, by)];
        expect(holds(mask, opened) && holds(closed, mask)).toBe(true);
        expect(isSame(open(opened, by), opened) && isSame(close(closed, by), closed)).toBe(true);
      }),
    );
  });

  it('regions contain every pixel once and do not touch', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const owner = new Int32Array(mask.data.length).fill(-1);
        for (const [n, pixels] of findRegions(mask).entries()) {
          for (const i of pixels) owner[i] = owner[i] === -1 ? n : -2;
        }
        for (const [i, value] of mask.data.entries()) {
          expect(owner[i]! >= 0).toBe(value === 1);
          const right = (i + 1) % mask.width === 0 ? undefined : owner[i + 1];
          for (const beside of [right, owner[i + mask.width]]) {
            if (value && beside !== undefined && beside >= 0) expect(beside).toBe(owner[i]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('filling leaves no holes, and nothing outside is filled', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const filled = fillHoles(mask);
        expect(holds(filled, mask)).toBe(true);
        const border = new Set(listBorder(mask));
        const around = findRegions(invert(filled));
        expect(around.every((pixels) => pixels.some((i) => border.has(i)))).toBe(true);
        expect(isSame(fillHoles(filled), filled)).toBe(true);
      }),
    );
  });

  it('the box contains the shape and is minimal', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const box = findBox(mask, 0);
        expect(box === undefined).toBe(countOnes(mask) === 0);
        if (!box) return;
        const inside = keepWhere(mask, (i) => {
          const [x, y] = [(i % mask.width) - box.left, Math.floor(i / mask.width) - box.top];
          return x >= 0 && y >= 0 && x < box.width && y < box.height;
        });
        expect(isSame(inside, mask)).toBe(true);
        const rows = showMask(mask);
        const columns = rows.map((row) => row.slice(box.left, box.left + box.width));
        expect(rows[box.top]).toContain('#');
        expect(rows[box.top + box.height - 1]).toContain('#');
        expect(columns.some((row) => row.startsWith('#')) && columns.some((row) => row.endsWith('#'))).toBe(true);
      }),
    );
  });

  it('overlap is symmetric, 1 with itself and 0 with its inverse', () => {
    fc.assert(
      fc.property(anyMask, fc.nat(), (mask, seed) => {
        const random = makeRandom(seed);
        const other = drawMask(mask, () => random() < 0.5);
        expect(overlap(mask, other)).toBe(overlap(other, mask));
        expect(overlap(mask, invert(mask))).toBe(0);
        if (countOnes(mask) > 0) expect(overlap(mask, mask)).toBe(1);
      }),
      { numRuns: 40 },
    );
  });

  it('distances are symmetric horizontally and vertically', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const turned = { ...mask, data: mask.data.toReversed() };
        expect(distanceInside(turned).data.toReversed()).toEqual(distanceInside(mask).data);
      }),
      { numRuns: 40 },
    );
  });
});

it("the picture's border does not count as an edge", () => {
  const half = readMask(['.....', '..###', '..###', '..###', '.....']);
  expect([...distanceInside(half).data.subarray(10, 15)].map(Math.round)).toEqual([0, 0, 1, 2, 2]);
  const all = drawMask({ width: 4, height: 3 }, () => true);
  expect(countOnes(erode(all, 1000))).toBe(12);
});
