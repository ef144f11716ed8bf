import { expect, test } from 'vitest';
import {
  begin,
  cancel,
  choose,
  createMarking,
  end,
  isProduct,
  type Marking,
  moveTo,
  redo,
  setBox,
  undo,
} from './marking.ts';
import { linesOf, type Step } from './marks.ts';

const size = { width: 120, height: 60 };

function open(earlier: readonly Step[] = [], isProductAt: (x: number, y: number) => boolean = () => true) {
  const said: string[] = [];
  const kept: Step[][] = [];
  const marking = createMarking(earlier, {
    loaded: { photo: new Blob(), size, background: { address: '', isProductAt } },
    isFirst: false,
    onSteps: (steps) => kept.push(steps),
    onSay: (sentence) => said.push(sentence),
  });
  return { marking, said, kept };
}

/** With a brush of 16 px. */
function paint(marking: Marking, kind: 'keep' | 'drop', from: [number, number], to = from): void {
  choose(marking, kind);
  marking.setState({ diameter: 16 });
  begin(marking, { x: from[0], y: from[1] }, 1, 0);
  moveTo(marking, { x: to[0], y: to[1] }, 1);
  end(marking);
}

const stepsOf = (marking: Marking) => marking.getState().steps;
const dotsOf = (step: Step | undefined) => (step === undefined || step.kind === 'box' ? [] : step.dots);

test('steps are undone and done again in their order, told and kept, and a box is a step like a stroke', () => {
  const { marking, said, kept } = open();
  paint(marking, 'keep', [20, 30], [90, 30]);
  setBox(marking, [0.1, 0.1, 0.9, 0.9]);
  paint(marking, 'drop', [60, 20]);
  const all = stepsOf(marking);
  expect(all.map(({ kind }) => kind)).toEqual(['keep', 'box', 'drop']);
  expect(said).toContain('Box from 10 to 90 % across and 10 to 90 % down');
  for (const _step of all) undo(marking);
  expect(kept.at(-1)).toEqual([]);
  undo(marking);
  expect(said.at(-1)).toBe('Undone: Keep');
  for (const _step of all) redo(marking);
  redo(marking);
  expect(stepsOf(marking)).toEqual(all);
  expect(said.at(-1)).toBe('Done again: Remove');
});

test('a new stroke ends what could be done again', () => {
  const { marking } = open();
  paint(marking, 'keep', [20, 30]);
  undo(marking);
  paint(marking, 'drop', [20, 30]);
  expect(marking.getState().undone).toEqual([]);
  expect(stepsOf(marking).map(({ kind }) => kind)).toEqual(['drop']);
});

test('dots are shares of the picture, the radius of its longer side, and follow each other closely', () => {
  const { marking } = open();
  paint(marking, 'keep', [12, 30], [36, 30]);
  const dots = dotsOf(stepsOf(marking)[0]);
  expect(dots[0]).toEqual([0.1, 0.5, 8 / 120]);
  expect(dots.at(-1)?.[0]).toBeCloseTo(0.3);
  expect(dots.length).toBe(11);
});

test('a stroke that leaves the picture goes on where it comes back; one beside it leaves nothing', () => {
  const { marking } = open();
  paint(marking, 'keep', [-40, -40], [-20, -20]);
  expect(stepsOf(marking)).toEqual([]);
  paint(marking, 'keep', [110, 30], [140, 30]);
  for (const [x] of dotsOf(stepsOf(marking)[0])) expect(x).toBeLessThanOrEqual(1);
});

test('a stroke that is given up never was, and what was painted earlier can be undone', () => {
  const earlier: Step[] = [{ kind: 'box', box: [0, 0, 0.5, 1] }];
  const { marking } = open(earlier);
  choose(marking, 'keep');
  begin(marking, { x: 20, y: 20 }, 1, 0);
  moveTo(marking, { x: 60, y: 20 }, 1);
  expect(marking.getState().stroke?.dots.length).toBeGreaterThan(1);
  cancel(marking);
  end(marking);
  expect(stepsOf(marking)).toEqual(earlier);
  undo(marking);
  expect(stepsOf(marking)).toEqual([]);
});

test('a place is taken as the last stroke over it says, else as the cut-out has it, and never outside the box', () => {
  const { marking } = open([], (x) => x < 60);
  expect([isProduct(marking, { x: 30, y: 30 }), isProduct(marking, { x: 90, y: 30 })]).toEqual([true, false]);
  paint(marking, 'keep', [90, 30]);
  expect(isProduct(marking, { x: 90, y: 30 })).toBe(true);
  paint(marking, 'drop', [90, 30]);
  expect(isProduct(marking, { x: 90, y: 30 })).toBe(false);
  setBox(marking, [0.5, 0, 1, 1]);
  expect(isProduct(marking, { x: 30, y: 30 })).toBe(false);
});

test('dots that overlap are drawn as one line, those apart as lines of their own, other brushes by themselves', () => {
  const dots = [
    [0.1, 0.5, 0.1],
    [0.15, 0.5, 0.1],
    [0.6, 0.5, 0.1],
    [0.6, 0.5, 0.05],
  ] as const;
  expect(linesOf({ kind: 'keep', dots }, size)).toEqual([
    { path: 'M12 30h0L18 30M72 30h0', width: 24 },
    { path: 'M72 30h0', width: 12 },
  ]);
});
