import { expect, test } from 'vitest';
import { Strokes } from './strokes.ts';

const picture = { width: 120, height: 60 };

function paint(strokes: Strokes, kind: 'keep' | 'drop', from: [number, number], to = from): void {
  strokes.begin(kind, { x: from[0], y: from[1] }, 8);
  strokes.moveTo({ x: to[0], y: to[1] }, 8);
  strokes.end();
}

test('steps are undone and done again in their order, and a box is a step like a stroke', () => {
  const strokes = new Strokes(picture);
  paint(strokes, 'keep', [20, 30], [90, 30]);
  strokes.setBox([0.1, 0.1, 0.9, 0.9]);
  paint(strokes, 'drop', [60, 20]);
  strokes.setBox([0.2, 0.2, 0.8, 0.8]);
  const all = strokes.steps;
  expect(all.map(({ kind }) => kind)).toEqual(['keep', 'box', 'drop', 'box']);
  for (const step of all.toReversed()) expect(strokes.undo()).toBe(step);
  expect([strokes.canUndo, strokes.undo(), strokes.box]).toEqual([false, null, null]);
  strokes.redo();
  strokes.redo();
  expect(strokes.box).toEqual([0.1, 0.1, 0.9, 0.9]);
  strokes.redo();
  strokes.redo();
  expect(strokes.steps).toEqual(all);
  expect([strokes.canRedo, strokes.redo()]).toEqual([false, null]);
});

test('a new stroke ends what could be done again', () => {
  const strokes = new Strokes(picture);
  paint(strokes, 'keep', [20, 30]);
  strokes.undo();
  paint(strokes, 'drop', [20, 30]);
  expect(strokes.canRedo).toBe(false);
  expect(strokes.steps.map(({ kind }) => kind)).toEqual(['drop']);
});

test('dots are shares of the picture, the radius of its longer side, and follow each other closely', () => {
  const strokes = new Strokes(picture);
  paint(strokes, 'keep', [12, 30], [36, 30]);
  const [step] = strokes.steps;
  const dots = step?.kind === 'box' ? [] : (step?.dots ?? []);
  expect(dots[0]).toEqual([0.1, 0.5, 8 / 120]);
  expect(dots.at(-1)?.[0]).toBeCloseTo(0.3);
  expect(dots.length).toBe(11);
});

test('a stroke that leaves the picture goes on where it comes back; one beside it leaves nothing', () => {
  const strokes = new Strokes(picture);
  paint(strokes, 'keep', [-40, -40], [-20, -20]);
  expect(strokes.canUndo).toBe(false);
  paint(strokes, 'keep', [110, 30], [140, 30]);
  const [step] = strokes.steps;
  for (const [x] of step?.kind === 'box' ? [] : (step?.dots ?? [])) expect(x).toBeLessThanOrEqual(1);
});

test('a stroke that is given up never was', () => {
  const strokes = new Strokes(picture);
  strokes.begin('keep', { x: 20, y: 20 }, 8);
  strokes.moveTo({ x: 60, y: 20 }, 8);
  expect(strokes.current?.dots.length).toBeGreaterThan(1);
  strokes.cancel();
  expect([strokes.current, strokes.end(), strokes.canUndo]).toEqual([null, null, false]);
});

test('what was painted earlier can be undone', () => {
  const first = new Strokes(picture);
  paint(first, 'keep', [20, 30], [90, 30]);
  first.setBox([0, 0, 0.5, 1]);
  const again = new Strokes(picture, first.steps);
  again.undo();
  expect(again.steps).toEqual(first.steps.slice(0, 1));
});
