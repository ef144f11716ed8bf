import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { traceOutline, turnColumns, type Outline } from './outline.ts';

const SIZE = { width: 96, height: 96 };
const trace = (isInside: (x: number, y: number) => boolean, base = 90, size = SIZE) =>
  traceOutline(
    drawPlane(size, (x, y) => (isInside(x, y) ? 1 : 0)),
    base,
  );

const isCan = (x: number, y: number) => x >= 30 && x < 70 && y >= 10 && y < 90;
const isBottle = (x: number, y: number) => y >= 10 && y < 90 && Math.abs(x - 47.5) < (y < 40 ? 6 : 24);

describe('an outline', () => {
  it("has the body's width in every row, and continues beyond its ends", () => {
    const { middle, half } = trace(isCan);
    for (const y of [0, 10, 50, 89, 95]) {
      expect(middle[y]).toBeCloseTo(49.5, 9);
      expect(half[y]).toBeCloseTo(20, 9);
    }
  });

  it("is narrow at a bottle's neck and wide at its belly, without a step", () => {
    const { half } = trace(isBottle);
    expect(half[20]).toBeCloseTo(6, 9);
    expect(half[70]).toBeCloseTo(24, 9);
    for (let y = 1; y < 96; y += 1) {
      expect(half[y]! - half[y - 1]!).toBeGreaterThanOrEqual(-1e-9);
      expect(half[y]! - half[y - 1]!).toBeLessThan(4);
    }
  });

  it('ignores protrusions of a few rows', () => {
    const { half, middle } = trace((x, y) => isCan(x, y) || (y >= 40 && y < 44 && x >= 70 && x < 90));
    expect(half[42]).toBeCloseTo(20, 9);
    expect(middle[42]).toBeCloseTo(49.5, 9);
  });

  it('fades the turn out towards the foot', () => {
    const { share } = trace(isCan);
    expect(share[90]).toBe(0);
    expect(share[95]).toBe(0);
    for (let y = 1; y <= 90; y += 1) expect(share[y]!).toBeLessThanOrEqual(share[y - 1]!);
    expect(share[89]).toBeLessThan(0.02);
    expect(share[60]).toBe(1);
  });

  it.each<[string, (x: number, y: number) => boolean]>([
    ['nothing', () => false],
    ['one pixel', (x, y) => x === 48 && y === 48],
    ['one row', (_, y) => y === 48],
    ['one column', (x) => x === 0],
    ['everything', () => true],
  ])('of %s consists of numbers', (_, isInside) => {
    const { middle, half, share } = trace(isInside);
    for (const values of [middle, half, share]) {
      expect(values).toHaveLength(96);
      expect(values.every(Number.isFinite)).toBe(true);
    }
    expect(share.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});

/** The source columns of a row after a turn. */
function turn(outline: Outline, row: number, yaw: number, size = 1, count = 96 * size): Float64Array {
  const columns = Float64Array.from({ length: count }, (_, x) => x);
  turnColumns(outline, row, yaw, columns, size);
  return columns;
}

describe('a turn of columns', () => {
  const can = trace(isCan);
  const bottle = trace(isBottle);
  const yaws = fc.double({ min: -0.5, max: 0.5, noNaN: true });
  const rows = fc.nat(95);

  it('shows every column once, in order, and nothing outside the body', () => {
    fc.assert(
      fc.property(fc.constantFrom(can, bottle), rows, yaws, (outline, row, yaw) => {
        const columns = turn(outline, row, yaw);
        const [left, right] = [outline.middle[row]! - outline.half[row]!, outline.middle[row]! + outline.half[row]!];
        const isRight = columns.every((column, x) => {
          if (x > 0 && column < columns[x - 1]!) return false;
          return x <= left || x >= right ? column === x : column >= left && column <= right;
        });
        expect(isRight).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('to the left mirrors one to the right', () => {
    fc.assert(
      fc.property(rows, yaws, (row, yaw) => {
        const [one, other] = [turn(bottle, row, yaw), turn(bottle, row, -yaw)];
        for (let x = 0; x < 96; x += 1) expect(one[x]! + other[95 - x]!).toBeCloseTo(95, 9);
      }),
      { numRuns: 20 },
    );
  });

  it("moves a cylinder's front by the angle", () => {
    const yaw = Math.sin((12 * Math.PI) / 180);
    expect(50 - turn(can, 40, yaw)[50]!).toBeCloseTo(20 * yaw, 1);
  });

  it('by zero, or at the foot, changes nothing', () => {
    expect([...turn(can, 40, 0)]).toEqual([...Array(96).keys()]);
    expect([...turn(can, 90, 0.4)]).toEqual([...Array(96).keys()]);
  });

  it.each([1, 2, 0.5])('is symmetric, and scales to a plane %f times as large', (size) => {
    const columns = turn(can, 40 * size, 0.3, size);
    const shift = (x: number) => columns[x]! - x;
    const right = 50 * size; // the first column right of the can's axis
    for (let away = 0; away < 20 * size; away += 1) {
      expect(shift(right + away)).toBeCloseTo(shift(right - 1 - away), 9);
    }
    expect(shift(right) / size).toBeCloseTo(-20 * 0.3, 1);
  });
});
