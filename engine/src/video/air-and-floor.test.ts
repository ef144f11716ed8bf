import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeGrey, makeStage, momentAt, STAGE } from '../../test/stage.ts';
import type { Canvas } from './canvas.ts';
import type { Effect } from './effect.ts';
import { drawHaze } from './haze.ts';
import { makeHoverShadow } from './hover-shadow.ts';
import { makeRays, makeSweep } from './light.ts';
import type { StagePose } from './pose.ts';
import { makeFog, makeSteam } from './vapour.ts';

/** What light, vapour and a shadow do to an even grey: all effects that are no particles. */

const stage = await makeStage();
const flat = await makeFlatStage();
const { width, height } = STAGE;

/** What an effect adds to the brightness of every pixel of an even grey. */
function addedBy(
  effect: Effect,
  seconds: number,
  layer: 'behind' | 'front',
  luma = 80,
): { added: number[]; canvas: Canvas } {
  const canvas = makeGrey(luma);
  effect[layer]?.(canvas, momentAt(seconds));
  return { added: [...canvas.y].map((value) => value - luma), canvas };
}

/** The mean column of the light. */
function middleOf(added: number[]): number {
  const total = added.reduce((sum, value) => sum + value, 0);
  return added.reduce((sum, value, i) => sum + value * (i % width), 0) / total;
}

describe('a sweep of light', () => {
  const sweep = makeSweep();

  it('crosses the picture once from left to right, never turning back', () => {
    const middles = [1, 1.4, 1.8, 2.2, 2.6, 3].map((seconds) => middleOf(addedBy(sweep, seconds, 'front').added));
    for (let n = 1; n < middles.length; n += 1) expect(middles[n]!).toBeGreaterThan(middles[n - 1]!);
    expect(middles.at(-1)! - middles[0]!).toBeGreaterThan(0.4 * width);
  });

  it.each([
    ['the first frame', 0],
    ['the last frame', 4],
  ])('is not in %s: a film may be joined to a photo at both ends', (_, seconds) => {
    expect(addedBy(sweep, seconds, 'front').added.every((value) => value === 0)).toBe(true);
  });

  it('slants: it is farther to the right at the top', () => {
    const { added } = addedBy(sweep, 2, 'front');
    const rows = (from: number, to: number) =>
      added.map((value, i) => (i >= from * width && i < to * width ? value : 0));
    expect(middleOf(rows(0, 30))).toBeGreaterThan(middleOf(rows(66, 96)) + 10);
  });

  it('catches on the product, and on bright things more than on dark ones', () => {
    const most = (cover: number, luma: number) => {
      const canvas = makeGrey(luma);
      canvas.cover.fill(cover);
      sweep.front?.(canvas, momentAt(2));
      return Math.max(...canvas.y.map((value) => value - luma));
    };
    expect(most(1, 80)).toBeGreaterThan(4 * most(0, 80));
    expect(most(1, 120) / (235 - 120)).toBeGreaterThan(most(1, 40) / (235 - 40));
    expect(most(1, 235)).toBe(0);
  });

  it('leaves colours alone and darkens nothing', () => {
    const { added, canvas } = addedBy(sweep, 2, 'front');
    expect(Math.min(...added)).toBe(0);
    expect([...canvas.u, ...canvas.v].every((value) => value === 128)).toBe(true);
  });
});

describe('rays', () => {
  it.each([
    ['from the left', 1, -1],
    ['from the right', 2, 1],
  ])('come %s for one seed or another, and are strongest there, at the top', (_, seed, side) => {
    const some = [0, 2, 4, 6].map((more) => addedBy(makeRays(stage, seed + more), 3, 'behind').added);
    const added = some.reduce((sum, one) => sum.map((value, i) => value + one[i]!));
    expect(side * (middleOf(added) - (width - 1) / 2)).toBeGreaterThan(3);
    const half = added.length / 2;
    const sum = (part: number[]) => part.reduce((so, value) => so + value, 0);
    expect(sum(added.slice(0, half))).toBeGreaterThan(1.3 * sum(added.slice(half)));
  });

  it('fade in, brighten only, and are warm', () => {
    const rays = makeRays(stage, 4);
    const means = [0, 0.4, 0.8, 1.2].map((seconds) => {
      const { added } = addedBy(rays, seconds, 'behind');
      expect(Math.min(...added)).toBe(0);
      return added.reduce((sum, value) => sum + value, 0) / added.length;
    });
    expect(means[0]).toBe(0);
    for (let n = 1; n < means.length; n += 1) expect(means[n]!).toBeGreaterThan(means[n - 1]! + 1);
    const { u, v } = addedBy(rays, 3, 'behind').canvas;
    expect(Math.max(...u)).toBeLessThanOrEqual(128);
    expect(Math.min(...v)).toBeGreaterThanOrEqual(128);
    expect(Math.min(...u)).toBeLessThan(128);
  });

  it('are a breath before the product of what they are behind it', () => {
    const rays = makeRays(stage, 4);
    const [behind, front] = (['behind', 'front'] as const).map((layer) => Math.max(...addedBy(rays, 3, layer).added));
    expect(front).toBeGreaterThan(0);
    expect(front).toBeLessThan(0.4 * behind!);
  });

  it('never add more than there is room for', () => {
    const { canvas } = addedBy(makeRays(stage, 4), 3, 'behind', 230);
    expect(Math.max(...canvas.y)).toBeLessThanOrEqual(235);
  });
});

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

  it('goes to its own colour', () => {
    const canvas = makeGrey();
    drawHaze(canvas, whole, 8, () => 1, [60, 110, 140]);
    expect(canvas.y.every((value) => value === 60)).toBe(true);
    expect(canvas.u.every((value) => value === 110) && canvas.v.every((value) => value === 140)).toBe(true);
  });

  it('is asked for on its grid only', () => {
    let asked = 0;
    drawHaze(makeGrey(), whole, 12, () => (asked += 1) * 0);
    expect(asked).toBeLessThan(130);
  });
});

const shadow = makeHoverShadow(stage);

/** How much darker every pixel of an even grey is, with a tint of colour. */
function darken(pose: Partial<StagePose>): { dark: number[]; u: Uint8ClampedArray } {
  const canvas = makeGrey(150);
  canvas.u.fill(90);
  shadow.behind?.(canvas, momentAt(1, pose));
  return { dark: [...canvas.y].map((value) => 150 - value), u: canvas.u };
}

const middle = (dark: number[], place: (i: number) => number) =>
  dark.reduce((sum, value, i) => sum + value * place(i), 0) / total(dark);

describe('the shadow of a product that hovers', () => {
  it.each([0, -4])('is not there while it stands: lift %i', (lift) => {
    expect(darken({ lift }).dark.every((value) => value === 0)).toBe(true);
  });

  it('comes in without a jump', () => {
    const amounts = [0.3, 0.6, 0.9].map((lift) => total(darken({ lift }).dark));
    expect(amounts[0]).toBeGreaterThan(0);
    expect(amounts[1]! / amounts[0]!).toBeGreaterThan(1.5);
    expect(amounts[2]! / amounts[1]!).toBeLessThan(1.9);
  });

  it('lies under the foot, and stays on the floor however high the product is', () => {
    for (const lift of [3, 8, 14]) {
      const { dark } = darken({ lift });
      expect(Math.abs(middle(dark, columnOf) - (BOX.left + BOX.right) / 2)).toBeLessThan(1);
      expect(Math.abs(middle(dark, rowOf) - BOX.bottom)).toBeLessThan(5);
    }
  });

  it('is paler and softer the higher the product is', () => {
    const [low, high] = [darken({ lift: 3 }).dark, darken({ lift: 12 }).dark];
    expect(Math.max(...high)).toBeLessThan(0.6 * Math.max(...low));
    const area = (dark: number[], share: number) => {
      const least = share * Math.max(...dark);
      return dark.filter((value) => value > least).length;
    };
    const softness = (dark: number[]) => area(dark, 0.3) / area(dark, 0.7);
    expect(softness(high)).toBeGreaterThan(1.4 * softness(low));
  });

  it('goes with the floor when the camera moves', () => {
    const [rest, moved] = [darken({ lift: 5 }).dark, darken({ lift: 5, turnX: 12, turnY: -6 }).dark];
    expect(middle(moved, columnOf) - middle(rest, columnOf)).toBeCloseTo(12, 0);
    expect(middle(moved, rowOf) - middle(rest, rowOf)).toBeCloseTo(-6, 0);
  });

  it('darkens only, and takes away colour as much as light', () => {
    const { dark, u } = darken({ lift: 3 });
    expect(Math.min(...dark)).toBe(0);
    const [at, half] = [76 * width + 48, 38 * 48 + 24];
    const light = 1 - dark[at]! / (150 - 16);
    expect(light).toBeLessThan(0.9);
    expect(Math.abs((128 - u[half]!) / (128 - 90) - light)).toBeLessThan(0.03);
  });

  it('needs a product', () => {
    expect(makeHoverShadow(flat)).toEqual({});
  });
});
