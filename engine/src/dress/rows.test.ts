import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMask, readMask } from '../../test/draw.ts';
import { findContour } from '../pixels/mask.ts';
import { findRun, smoothRows } from './rows.ts';

const ROW = readMask(['..###...##']);

describe('a run', () => {
  it.each([
    ['in the middle of it', 3, 0, { from: 2, to: 4 }],
    ['at its end', 9, 0, { from: 8, to: 9 }],
    ['between pixels', 4.4, 0, { from: 2, to: 4 }],
    ['beside it, within reach', 6, 2, { from: 2, to: 4 }],
    ['beside it, out of reach', 6, 1, undefined],
    ['left of the picture', -3, 5, { from: 2, to: 4 }],
    ['right of the picture', 12, 3, { from: 8, to: 9 }],
    ['nowhere', Number.NaN, 5, undefined],
  ])('is found %s', (_, x, reach, run) => {
    expect(findRun(ROW, 0, x, reach)).toEqual(run);
  });

  it('contains only marked pixels and ends at unmarked ones, from any start', () => {
    const widths = fc.integer({ min: 1, max: 30 });
    const rows = widths.chain((width) => fc.array(fc.boolean(), { minLength: width, maxLength: width }));
    fc.assert(
      fc.property(rows, fc.double({ min: -5, max: 35, noNaN: true }), (row, x) => {
        const mask = drawMask({ width: row.length, height: 1 }, (column) => row[column] ?? false);
        const run = findRun(mask, 0, x, 40);
        if (!run) return !row.includes(true);
        const isWhole = row.slice(run.from, run.to + 1).every(Boolean);
        return isWhole && !row[run.from - 1] && !row[run.to + 1];
      }),
    );
  });
});

describe('a contour', () => {
  const mask = readMask(['......', '.##...', '.####.', '..###.', '......']);

  it('holds the first or last row of every column, and -1 if there is none', () => {
    expect([...findContour(mask, { top: 0, bottom: 4 })]).toEqual([-1, 1, 1, 2, 2, -1]);
    expect([...findContour(mask, { top: 0, bottom: 4 }, true)]).toEqual([-1, 2, 3, 3, 3, -1]);
  });

  it('searches between two rows only', () => {
    expect([...findContour(mask, { top: 3, bottom: 4 })]).toEqual([-1, -1, 3, 3, 3, -1]);
    expect([...findContour(mask, { top: 0, bottom: 1 }, true)]).toEqual([-1, 1, 1, -1, -1, -1]);
    expect([...findContour(mask, { top: 2, bottom: 1 })]).toEqual([-1, -1, -1, -1, -1, -1]);
  });
});

describe('smoothed rows', () => {
  it('keep a straight line except at its ends, and stay within the range of values', () => {
    const line = Float32Array.from({ length: 20 }, (_, y) => 3 * y);
    const smooth = smoothRows(line, 3);
    for (let y = 3; y < 17; y += 1) expect(smooth[y]).toBeCloseTo(3 * y, 5);
    expect(smooth[0]).toBeCloseTo(4.5, 5);
    expect(Math.max(...smooth)).toBeLessThan(57);
  });

  it('equal the input without reach, and the mean with unlimited reach', () => {
    const values = Float32Array.of(5, 1, 9);
    expect(smoothRows(values, 0)).toEqual(values);
    expect(smoothRows(values, 99)).toEqual(Float32Array.of(5, 5, 5));
    expect(smoothRows(new Float32Array(0), 3)).toHaveLength(0);
  });
});
