import { expect, test } from 'vitest';
import type { Painting } from './live-edge.ts';
import { Strokes } from './strokes.ts';

const makePainting = (): Painting => ({
  width: 120,
  height: 60,
  colours: new Uint8ClampedArray(120 * 60 * 4).fill(128),
  alpha: new Uint8ClampedArray(120 * 60),
});
const copy = (strokes: Strokes) => [...strokes.painting.alpha];

function paint(strokes: Strokes, kind: 'keep' | 'drop', from: [number, number], to = from): void {
  strokes.begin(kind, { x: from[0], y: from[1] }, 8);
  strokes.moveTo({ x: to[0], y: to[1] }, 8);
  strokes.end();
}

test('undo and redo give back every pixel, through strokes that lie over each other', () => {
  const strokes = new Strokes(makePainting());
  const states = [copy(strokes)];
  paint(strokes, 'keep', [20, 30], [90, 30]);
  states.push(copy(strokes));
  paint(strokes, 'drop', [60, 20], [60, 50]);
  states.push(copy(strokes));
  paint(strokes, 'keep', [60, 30]);
  states.push(copy(strokes));
  for (const state of states.slice(0, -1).reverse()) {
    strokes.undo();
    expect(copy(strokes)).toEqual(state);
  }
  expect([strokes.canUndo, strokes.undo()]).toEqual([false, null]);
  for (const state of states.slice(1)) {
    strokes.redo();
    expect(copy(strokes)).toEqual(state);
  }
  expect([strokes.canRedo, strokes.redo()]).toEqual([false, null]);
});

test('a new stroke ends what could be done again', () => {
  const strokes = new Strokes(makePainting());
  paint(strokes, 'keep', [20, 30]);
  strokes.undo();
  paint(strokes, 'drop', [20, 30]);
  expect(strokes.canRedo).toBe(false);
  expect(strokes.steps.map(({ kind }) => kind)).toEqual(['drop']);
});

test('dots are shares of the picture, the radius of its longer side, and follow each other closely', () => {
  const strokes = new Strokes(makePainting());
  paint(strokes, 'keep', [12, 30], [36, 30]);
  const [step] = strokes.steps;
  const dots = step?.kind === 'box' ? [] : (step?.dots ?? []);
  expect(dots[0]).toEqual([0.1, 0.5, 8 / 120]);
  expect(dots.at(-1)?.[0]).toBeCloseTo(0.3);
  expect(dots.length).toBe(11);
});

test('a stroke that leaves the picture goes on where it comes back; one beside it leaves nothing', () => {
  const strokes = new Strokes(makePainting());
  paint(strokes, 'keep', [-40, -40], [-20, -20]);
  expect(strokes.canUndo).toBe(false);
  paint(strokes, 'keep', [110, 30], [140, 30]);
  const [step] = strokes.steps;
  for (const [x] of step?.kind === 'box' ? [] : (step?.dots ?? [])) expect(x).toBeLessThanOrEqual(1);
});

test('a stroke that is given up never was', () => {
  const strokes = new Strokes(makePainting());
  const before = copy(strokes);
  strokes.begin('keep', { x: 20, y: 20 }, 8);
  strokes.moveTo({ x: 60, y: 20 }, 8);
  expect(copy(strokes)).not.toEqual(before);
  expect(strokes.cancel()).not.toBeNull();
  expect(copy(strokes)).toEqual(before);
  expect(strokes.canUndo).toBe(false);
});

test('a box is a step like a stroke', () => {
  const strokes = new Strokes(makePainting());
  strokes.setBox([0.1, 0.1, 0.9, 0.9]);
  strokes.setBox([0.2, 0.2, 0.8, 0.8]);
  strokes.undo();
  expect(strokes.box).toEqual([0.1, 0.1, 0.9, 0.9]);
  strokes.undo();
  expect(strokes.box).toBeNull();
});

test('what was painted earlier is painted again and can be undone', () => {
  const first = new Strokes(makePainting());
  paint(first, 'keep', [20, 30], [90, 30]);
  first.setBox([0, 0, 0.5, 1]);
  const again = new Strokes(makePainting(), first.steps);
  expect(copy(again)).toEqual(copy(first));
  expect(again.steps).toEqual(first.steps);
  again.undo();
  again.undo();
  expect(copy(again).every((value) => value === 0)).toBe(true);
});
