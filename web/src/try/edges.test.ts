import { expect, test } from 'vitest';
import { filterGuided, solveEdges, takeProduct } from './edges.ts';
import { makePlane, ownCover, type Plane, type Rgba } from './plane.ts';

const SIDE = 60;

/** Red up to this column, then blue; the column itself is half of both. */
function makePicture(column: number): Rgba {
  const data = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255);
  for (let i = 0; i < SIDE * SIDE; i += 1) {
    const share = i % SIDE < column ? 1 : i % SIDE > column ? 0 : 0.5;
    data.set([200 * share, 30, 200 * (1 - share)], i * 4);
  }
  return { width: SIDE, height: SIDE, data };
}

/** A cover that falls over ten columns around the middle, as a small network says it. */
const blurred: Plane = {
  ...makePlane({ width: SIDE, height: SIDE }),
  data: makePlane({ width: SIDE, height: SIDE }).data.map((_, i) => Math.min(1, Math.max(0, (35 - (i % SIDE)) / 10))),
};
const row = ({ data }: Plane) => [...data.subarray(30 * SIDE, 31 * SIDE)];

test('the guided filter moves a soft cover to the edge in the picture', () => {
  const found = row(filterGuided(makePicture(28), blurred, 8));
  expect(found[26]).toBeGreaterThan(0.8);
  expect(found[30]).toBeLessThan(0.35);
  expect((found[26] ?? 0) - (found[30] ?? 0)).toBeGreaterThan(0.5);
});

test('the solved edge is sharp, whole inside and bare outside', () => {
  const found = row(solveEdges(makePicture(30), blurred, 4));
  expect(found.slice(0, 20).every((cover) => cover === 1)).toBe(true);
  expect(found.slice(45).every((cover) => cover === 0)).toBe(true);
  expect(found[28]).toBeGreaterThan(0.9);
  expect(found[32]).toBeLessThan(0.1);
});

test('what is taken out keeps its own colours, and along the edge loses those behind it', () => {
  const picture = makePicture(30);
  const cover = { ...blurred, data: blurred.data.map((_, i) => (i % SIDE < 30 ? 1 : i % SIDE > 30 ? 0 : 0.5)) };
  takeProduct(picture, cover);
  const at = (column: number) => [...picture.data.subarray((30 * SIDE + column) * 4, (30 * SIDE + column) * 4 + 4)];
  expect(at(10)).toEqual([200, 30, 0, 255]);
  expect(at(30)[3]).toBe(128);
  expect(at(30)[0]).toBeGreaterThan(170);
  expect(at(30)[2]).toBeLessThan(30);
  expect(at(50)[3]).toBe(0);
});

test('a picture that is cut out already keeps its own cover', () => {
  const picture = makePicture(30);
  expect(ownCover(picture)).toBeUndefined();
  for (let i = 0; i < 400; i += 1) picture.data[i * 4 + 3] = 0;
  expect(ownCover(picture)?.data[10]).toBe(0);
  expect(ownCover(picture)?.data[500]).toBe(1);
});
