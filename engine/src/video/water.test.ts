import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeGrey, makeStage, momentAt, STAGE } from '../../test/stage.ts';
import type { StagePose } from './pose.ts';
import { makeWater } from './water.ts';

const stage = await makeStage();
const flat = await makeFlatStage();
const { width, height } = STAGE;
const water = makeWater(stage);
const MIDDLE = (BOX.left + BOX.right) / 2;

/** The change of brightness of an even grey. */
function ripple(seconds: number, pose: Partial<StagePose> = {}, own = water): number[] {
  const canvas = makeGrey(120);
  own.behind?.(canvas, momentAt(seconds, pose));
  return [...canvas.y].map((value) => value - 120);
}

describe('rings on water', () => {
  it('are nothing in the first frame', () => {
    expect(ripple(0).every((value) => value === 0)).toBe(true);
  });

  it('are light and shade in equal parts: the floor is as bright as before', () => {
    const change = ripple(2);
    expect(Math.max(...change)).toBeGreaterThan(8);
    expect(Math.min(...change)).toBeLessThan(-8);
    const touched = change.filter((value) => value !== 0);
    expect(Math.abs(touched.reduce((sum, value) => sum + value, 0) / touched.length)).toBeLessThan(1);
  });

  it('lie about the foot, the same on its left and its right', () => {
    const change = ripple(2);
    for (let y = 60; y < height; y += 4) {
      for (let away = 0; away < 30; away += 1) {
        const [left, right] = [change[y * width + MIDDLE - away]!, change[y * width + MIDDLE + away]!];
        expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
      }
    }
  });

  it('are not on the wall', () => {
    expect(
      ripple(2)
        .slice(0, 50 * width)
        .every((value) => value === 0),
    ).toBe(true);
  });

  it('run outwards and grow weaker', () => {
    const row = (seconds: number) => ripple(seconds).slice(74 * width + MIDDLE + 14, 74 * width + MIDDLE + 40);
    const crests = [2, 2.1, 2.2].map((seconds) => {
      const values = row(seconds);
      return values.indexOf(Math.max(...values.slice(0, 12)));
    });
    expect(crests[1]!).toBeGreaterThanOrEqual(crests[0]!);
    expect(crests[2]!).toBeGreaterThan(crests[0]!);
    const strength = (values: number[]) => Math.max(...values) - Math.min(...values);
    expect(strength(row(2).slice(14))).toBeLessThan(strength(row(2).slice(0, 12)));
  });

  it('go with the product, not with its rising', () => {
    const [rest, moved] = [ripple(2), ripple(2, { turnX: 10 })];
    for (let x = 20; x < 70; x += 1) expect(moved[84 * width + x + 10]).toBe(rest[84 * width + x]);
  });

  it('are there without a product too, low in the picture', () => {
    const own = makeWater(flat);
    const change = ripple(2, {}, own);
    expect(change.slice(60 * width).some((value) => value !== 0)).toBe(true);
    expect(change.slice(0, 50 * width).every((value) => value === 0)).toBe(true);
  });
});

describe('the floor under water', () => {
  const shake = (row: number, n: number, seconds = n / 30) => water.shake!(row, { ...momentAt(seconds), n });

  it('wavers, a little, and only where it is near', () => {
    const wall = stage.margin.y + 10;
    const floor = stage.margin.y + 84;
    const moves = Array.from({ length: 60 }, (_, n) => shake(floor, 30 + n));
    expect(Math.max(...moves)).toBeGreaterThan(0.05);
    expect(Math.min(...moves)).toBeLessThan(-0.05);
    expect(Math.max(...moves.map(Math.abs))).toBeLessThan(0.005 * width);
    expect(Array.from({ length: 60 }, (_, n) => shake(wall, 30 + n)).every((value) => value === 0)).toBe(true);
  });

  it('lies still in the first frame and begins gently', () => {
    const row = stage.margin.y + 84;
    const size = (n: number) => Math.max(...Array.from({ length: 40 }, (_, k) => Math.abs(shake(row, n, k / 10))));
    expect(size(0)).toBe(0);
    expect(size(6)).toBeLessThan(0.3 * size(24));
    expect(size(48)).toBeCloseTo(size(24), 9);
  });

  it('does not tear: rows that follow each other move almost alike', () => {
    for (let row = 1; row < stage.depths.length; row += 1) {
      expect(Math.abs(shake(row, 40) - shake(row - 1, 40))).toBeLessThan(0.25);
    }
  });
});
