import { describe, expect, it } from 'vitest';
import { makeGrey, momentAt, STAGE } from '../../test/stage.ts';
import type { Canvas } from './canvas.ts';
import type { Effect } from './effect.ts';
import { makeRays, makeSweep } from './light.ts';

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
    const some = [0, 2, 4, 6].map((more) => addedBy(makeRays(width, height, seed + more), 3, 'behind').added);
    const added = some.reduce((sum, one) => sum.map((value, i) => value + one[i]!));
    expect(side * (middleOf(added) - (width - 1) / 2)).toBeGreaterThan(3);
    const half = added.length / 2;
    const sum = (part: number[]) => part.reduce((so, value) => so + value, 0);
    expect(sum(added.slice(0, half))).toBeGreaterThan(1.3 * sum(added.slice(half)));
  });

  it('fade in, brighten only, and are warm', () => {
    const rays = makeRays(width, height, 4);
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
    const rays = makeRays(width, height, 4);
    const [behind, front] = (['behind', 'front'] as const).map((layer) => Math.max(...addedBy(rays, 3, layer).added));
    expect(front).toBeGreaterThan(0);
    expect(front).toBeLessThan(0.4 * behind!);
  });

  it('never add more than there is room for', () => {
    const { canvas } = addedBy(makeRays(width, height, 4), 3, 'behind', 230);
    expect(Math.max(...canvas.y)).toBeLessThanOrEqual(235);
  });
});
