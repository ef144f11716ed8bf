import { describe, expect, it } from 'vitest';
import { marksSchema } from './marks.ts';

const isMarks = (value: unknown) => marksSchema.safeParse(value).success;

describe('marks', () => {
  it.each([
    { box: [0.12, 0.3, 0.81, 0.97] },
    { keep: [[0.4, 0.55, 0.02]] },
    { drop: [[0, 1, 1]] },
    { box: [0, 0, 1, 1], keep: [[0.5, 0.5, 0.1]], drop: Array.from({ length: 2000 }, () => [0.1, 0.2, 0.03]) },
  ])('are understood: %j', (marks) => {
    expect(isMarks(marks)).toBe(true);
  });

  it.each([
    {},
    [],
    null,
    'box',
    { box: [0.8, 0.3, 0.1, 0.9] },
    { box: [0.1, 0.9, 0.8, 0.9] },
    { box: [0, 0, 1] },
    { box: [0, 0, 1, 1.01] },
    { box: null },
    { keep: [] },
    { keep: [[0.5, 0.5]] },
    { keep: [[0.5, 0.5, 0]] },
    { keep: [['0.5', 0.5, 0.1]] },
    { drop: [[-0.1, 0.5, 0.1]] },
    { drop: Array.from({ length: 2001 }, () => [0.1, 0.2, 0.03]) },
    { drop: [[0.5, 0.5, 0.1, 0.1]] },
    { keep: [[0.5, 0.5, 0.1]], brush: 3 },
  ])('are refused: %j', (marks) => {
    expect(isMarks(marks)).toBe(false);
  });
});
