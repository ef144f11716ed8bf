import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeGrey, makeStage, momentAt, STAGE } from '../../test/stage.ts';
import type { Effect } from './effect.ts';
import { drawHaze } from './haze.ts';
import type { StagePose } from './pose.ts';
import { makeFog, makeSteam } from './vapour.ts';

const stage = await makeStage();
const flat = await makeFlatStage();
const { width, height } = STAGE;

/** What an effect adds to the brightness of every pixel of an even grey. */
function add(
  effect: Effect,
  seconds: number,
  layer: 'behind' | 'front' = 'front',
  pose: Partial<StagePose> = {},
): number[] {
  const canvas = makeGrey();
  effect[layer]?.(canvas, momentAt(seconds, pose));
  return [...canvas.y].map((value) => value - 80);
}

const total = (added: number[]) => added.reduce((sum, value) => sum + value, 0);
const meanOf = (added: number[], place: (i: number) => number) =>
  added.reduce((sum, value, i) => sum + value * place(i), 0) / total(added);
const columnOf = (i: number) => i % width;
const rowOf = (i: number) => Math.floor(i / width);
/** Over some moments: one alone may be a gust. */
const someSeconds = [1.5, 2.5, 3.5, 5, 7];
const manyOf = (make: (seconds: number) => number[]) =>
  someSeconds.map(make).reduce((sum, added) => sum.map((value, i) => value + added[i]!));

describe('steam', () => {
  const steam = makeSteam(stage, 3);

  it('rises from the middle of the product’s top', () => {
    const added = manyOf((seconds) => add(steam, seconds));
    expect(Math.abs(meanOf(added, columnOf) - (BOX.left + BOX.right) / 2)).toBeLessThan(6);
    expect(meanOf(added, rowOf)).toBeLessThan(BOX.top);
    const rim = BOX.top + 0.14 * (BOX.bottom - BOX.top);
    expect(added.every((value, i) => value === 0 || rowOf(i) < rim)).toBe(true);
  });

  it('is thickest above the rim and has lost itself at the top', () => {
    const added = manyOf((seconds) => add(steam, seconds));
    const band = (from: number, to: number) => total(added.slice(from * width, to * width)) / (to - from);
    expect(band(16, 32)).toBeGreaterThan(band(0, 8));
  });

  it('goes where the product goes', () => {
    const [rest, moved] = [add(steam, 3), add(steam, 3, 'front', { x: 12 })];
    expect(rest.every((value, i) => columnOf(i) >= 80 || moved[i + 12] === value)).toBe(true);
  });

  it('only ever brightens, comes in over a second, and moves on', () => {
    const amounts = [0, 0.3, 0.6, 1].map((seconds) => total(add(steam, seconds)));
    expect(amounts[0]).toBe(0);
    for (let n = 1; n < amounts.length; n += 1) expect(amounts[n]!).toBeGreaterThan(amounts[n - 1]!);
    expect(Math.min(...add(steam, 4))).toBe(0);
    expect(add(steam, 4)).not.toEqual(add(steam, 4.2));
    expect(add(makeSteam(stage, 4), 4)).not.toEqual(add(steam, 4));
  });

  it('rises from the middle where there is no product', () => {
    const added = manyOf((seconds) => add(makeSteam(flat, 3), seconds));
    expect(Math.abs(meanOf(added, columnOf) - width / 2)).toBeLessThan(6);
    expect(meanOf(added, rowOf)).toBeLessThan(height / 2);
  });
});

describe('fog', () => {
  const fog = makeFog(stage, 3);

  it('lies on the floor: most of it about the product’s foot, none at the top', () => {
    const added = manyOf((seconds) => add(fog, seconds, 'behind'));
    expect(Math.abs(meanOf(added, rowOf) - BOX.bottom)).toBeLessThan(12);
    expect(total(added.slice(0, 20 * width))).toBe(0);
  });

  it('reaches from side to side', () => {
    const added = manyOf((seconds) => add(fog, seconds, 'behind'));
    const columns = Array.from({ length: width }, (_, x) => total(added.filter((_v, i) => columnOf(i) === x)));
    expect(Math.min(...columns)).toBeGreaterThan(0);
  });

  it('hides less of the product than of what is behind it', () => {
    const [behind, front] = (['behind', 'front'] as const).map((layer) =>
      total(manyOf((seconds) => add(fog, seconds, layer))),
    );
    expect(front).toBeGreaterThan(0);
    expect(front).toBeLessThan(0.6 * behind!);
  });

  it('is nothing in the first frame and never darkens', () => {
    expect(add(fog, 0, 'behind').every((value) => value === 0)).toBe(true);
    expect(Math.min(...add(fog, 3, 'behind'))).toBeGreaterThanOrEqual(0);
  });
});

describe('haze', () => {
  const whole = { left: 0, top: 0, right: width, bottom: height };

  it.each([1, 3, 8, 50, 200])('is as dense between the places of its grid as at them: %i pixels apart', (step) => {
    const canvas = makeGrey();
    drawHaze(canvas, whole, step, (x, y) => (x + y) / 400);
    for (const [x, y] of [
      [0, 0],
      [95, 95],
      [13, 70],
      [50, 51],
    ] as const) {
      expect(Math.abs(canvas.y[y * width + x]! - (80 + ((x + y) / 400) * 155))).toBeLessThan(1.01);
    }
  });

  it('is never more than all nor less than nothing, whatever is asked for', () => {
    const [thick, thin] = [makeGrey(), makeGrey()];
    drawHaze(thick, whole, 8, () => 7);
    drawHaze(thin, whole, 8, () => -7);
    expect(thick.y.every((value) => value === 235)).toBe(true);
    expect(thin.bytes).toEqual(makeGrey().bytes);
  });

  it('takes its own tint', () => {
    const canvas = makeGrey();
    drawHaze(canvas, whole, 8, () => 1, [110, 140]);
    expect(canvas.u.every((value) => value === 110) && canvas.v.every((value) => value === 140)).toBe(true);
  });

  it('is asked for on its grid only', () => {
    let asked = 0;
    drawHaze(makeGrey(), whole, 12, () => (asked += 1) * 0);
    expect(asked).toBeLessThan(130);
  });
});
