import { expect, test } from 'vitest';
import { foldSteps, MAX_DOTS, thinDots, type Dot, type Step } from './marks.ts';

const square = { width: 1000, height: 1000 };
const wide = { width: 1000, height: 500 };
const stroke = (kind: 'keep' | 'drop', ...dots: Dot[]): Step => ({ kind, dots });

test('no steps are no marks, and an empty list is not sent', () => {
  expect(foldSteps([], square)).toEqual({});
  expect(foldSteps([stroke('keep', [0.5, 0.5, 0.1])], square)).toEqual({ keep: [[0.5, 0.5, 0.1]] });
});

test('the last box counts', () => {
  const boxes: Step[] = [
    { kind: 'box', box: [0, 0, 1, 1] },
    { kind: 'box', box: [0.1, 0.2, 0.3, 0.4] },
  ];
  expect(foldSteps(boxes, square)).toEqual({ box: [0.1, 0.2, 0.3, 0.4] });
});

test('what is painted over by the other brush is gone, whichever comes last', () => {
  const [here, there]: Dot[] = [
    [0.5, 0.5, 0.05],
    [0.8, 0.5, 0.05],
  ];
  expect(foldSteps([stroke('drop', here!, there!), stroke('keep', [0.52, 0.5, 0.05])], square)).toEqual({
    keep: [[0.52, 0.5, 0.05]],
    drop: [there],
  });
  expect(foldSteps([stroke('keep', here!), stroke('drop', here!)], square)).toEqual({ drop: [here] });
});

test('shares of a height are as long as the picture is high', () => {
  const below: Dot = [0.5, 0.58, 0.05];
  expect(foldSteps([stroke('drop', below), stroke('keep', [0.5, 0.5, 0.05])], wide).drop).toBeUndefined();
  expect(foldSteps([stroke('drop', below), stroke('keep', [0.5, 0.5, 0.05])], square).drop).toEqual([below]);
});

test('numbers have four places, stay inside the picture, and a radius is never nothing', () => {
  expect(foldSteps([stroke('keep', [1.2, -0.1, 0.000001], [1 / 3, 2 / 3, 0.1])], square).keep).toEqual([
    [1, 0, 0.0001],
    [0.3333, 0.6667, 0.1],
  ]);
});

test('few dots stay as they are; of many those go first that lie in the one before', () => {
  const few: Dot[] = [
    [0.5, 0.5, 0.1],
    [0.5, 0.5, 0.1],
  ];
  expect(thinDots(few, square)).toEqual(few);
  const line: Dot[] = Array.from({ length: 3000 }, (_none, at) => [at / 3000, 0.5, 0.02]);
  const left = thinDots(line, square);
  expect(left.length).toBeLessThanOrEqual(MAX_DOTS);
  for (const [x] of line) expect(left.some(([other]) => Math.abs(other - x) < 0.02)).toBe(true);
});

test('a small dot in a large one of the same brush is not thrown away for a smaller one', () => {
  const dots: Dot[] = [[0.5, 0.5, 0.01], ...Array.from({ length: 50 }, (): Dot => [0.5, 0.5, 0.1])];
  expect(thinDots(dots, square, 10)).toEqual([
    [0.5, 0.5, 0.01],
    [0.5, 0.5, 0.1],
  ]);
});

test('however much is painted, both limits of the API hold', () => {
  const scatter = (shift: number): Dot[] =>
    Array.from({ length: 2000 }, (_none, at) => [
      ((at * 0.6180339) % 1) * 0.9999,
      ((at * 0.7548777 + shift) % 1) * 0.9999,
      0.001234,
    ]);
  const marks = foldSteps([stroke('keep', ...scatter(0)), stroke('drop', ...scatter(0.5))], square);
  expect(marks.keep!.length).toBeLessThanOrEqual(2000);
  expect(marks.drop!.length).toBeLessThanOrEqual(2000);
  expect(marks.keep!.length).toBeGreaterThan(1000);
  expect(JSON.stringify({ marks: { ...marks, box: [0.1234, 0.1234, 0.8766, 0.8766] } }).length).toBeLessThan(65_536);
});
