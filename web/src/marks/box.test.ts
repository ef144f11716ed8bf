import { expect, test } from 'vitest';
import { boxBetween, dragBox, findGrip, handlesOf, startDrag } from './box.ts';

const area = [100, 100, 300, 200] as const;
const picture = { width: 1000, height: 500 };

test('eight handles: corners and middles', () => {
  expect(handlesOf(area)).toHaveLength(8);
  for (const handle of handlesOf(area)) expect(findGrip(area, handle, 10)).toContain(false);
});

test('a corner takes two sides along, a side one, the inside all, the outside none', () => {
  expect(findGrip(area, { x: 104, y: 97 }, 10)).toEqual([true, true, false, false]);
  expect(findGrip(area, { x: 300, y: 150 }, 10)).toEqual([false, false, true, false]);
  expect(findGrip(area, { x: 200, y: 150 }, 10)).toEqual([true, true, true, true]);
  expect(findGrip(area, { x: 60, y: 150 }, 10)).toBeNull();
});

test('a drag never turns the box over and never leaves the picture', () => {
  const right = [false, false, true, false];
  expect(dragBox([0.1, 0.1, 0.5, 0.5], right, -1, 0)[2]).toBeCloseTo(0.12);
  expect(dragBox([0.1, 0.1, 0.5, 0.5], right, 1, 0)[2]).toBe(1);
  const whole = [true, true, true, true];
  const moved = dragBox([0.1, 0.1, 0.5, 0.5], whole, 2, -2);
  expect(moved.map((side) => Math.round(side * 1000) / 1000)).toEqual([0.6, 0, 1, 0.4]);
});

test('a box between two places, in any order, and none for a click', () => {
  expect(boxBetween({ x: 900, y: 100 }, { x: 100, y: 400 }, picture)).toEqual([0.1, 0.2, 0.9, 0.8]);
  expect(boxBetween({ x: -50, y: -50 }, { x: 5000, y: 250 }, picture)).toEqual([0, 0, 1, 0.5]);
  expect(boxBetween({ x: 100, y: 100 }, { x: 103, y: 300 }, picture)).toBeNull();
});

test('beside the old box a drag draws a new one; a click there leaves the old one', () => {
  const drag = startDrag(picture, [0.4, 0.4, 0.6, 0.6], { x: 100, y: 50 }, 10);
  expect(drag({ x: 101, y: 51 })).toEqual([0.4, 0.4, 0.6, 0.6]);
  expect(drag({ x: 300, y: 150 })).toEqual([0.1, 0.1, 0.3, 0.3]);
});
