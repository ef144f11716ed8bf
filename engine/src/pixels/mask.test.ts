import { expect, it } from 'vitest';
import { makeRandom } from './random.ts';
import {
  close,
  dilate,
  distanceInside,
  erode,
  fillHoles,
  findBox,
  findRegions,
  keepWhere,
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

it('measures the distance to the nearest pixel outside along every direction', () => {
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

it('takes a border away and puts it back', () => {
  expect(findBox(erode(block, 2), 0)).toEqual({ left: 7, top: 6, width: 5, height: 3 });
  expect(findBox(dilate(block, 2), 0)).toEqual({ left: 3, top: 2, width: 13, height: 11 });
  const withHair = draw((x, y) => (x >= 5 && x <= 13 && y >= 4 && y <= 10) || (y === 7 && x < 20));
  // of the hair, one pixel stays at its root
  expect(findBox(open(withHair, 1), 0)).toEqual({ left: 4, top: 4, width: 11, height: 7 });
  const withSlit = draw((x, y) => x >= 5 && x <= 13 && y >= 4 && y <= 10 && x !== 9);
  expect(overlap(close(withSlit, 1), block)).toBeCloseTo(61 / 63); // the slit keeps its two mouths
});

it('tells regions apart, and holes from bays', () => {
  const ring = draw((x, y) => x >= 3 && x <= 9 && y >= 3 && y <= 9 && !(x >= 5 && x <= 7 && y >= 5 && y <= 7));
  expect(findRegions(ring).map(({ pixels, touchesBorder }) => [pixels.length, touchesBorder])).toEqual([[40, false]]);
  expect(findRegions(ring, 0).map(({ pixels }) => pixels.length)).toEqual([23 * 17 - 49, 9]);
  const open = draw((x, y) => ring.data[y * 23 + x] === 1 && !(x === 6 && y > 7));
  expect(fillHoles(ring).data.filter(Boolean)).toHaveLength(49);
  expect(fillHoles(open).data).toEqual(open.data);
});

it('finds nothing around nothing, and cuts a margin at the border', () => {
  expect(
    findBox(
      draw(() => false),
      3,
    ),
  ).toBeUndefined();
  expect(findBox(block, 5)).toEqual({ left: 0, top: 0, width: 19, height: 16 });
});

it('marks what is greater than a level, and keeps only marked pixels', () => {
  const ramp = { width: 5, height: 1, data: Float32Array.of(0, 0.25, 0.5, 0.75, 1) };
  const upper = threshold(ramp, 0.5);
  expect(upper).toEqual({ width: 5, height: 1, data: Uint8Array.of(0, 0, 0, 1, 1) });
  expect(keepWhere(upper, (i) => i < 4).data).toEqual(Uint8Array.of(0, 0, 0, 1, 0));
});
