import { describe, expect, it } from 'vitest';
import { makeGrey, momentAt, STAGE } from '../../test/stage.ts';
import type { Canvas } from './canvas.ts';
import { makeSweep } from './light.ts';

const { width } = STAGE;
const sweep = makeSweep();

/** The luma that the sweep adds to each pixel of uniform grey. */
function addedBy(seconds: number, luma = 80): { added: number[]; canvas: Canvas } {
  const canvas = makeGrey(luma);
  sweep.front?.(canvas, momentAt(seconds));
  return { added: [...canvas.y].map((value) => value - luma), canvas };
}

/** The light's mean column. */
function middleOf(added: number[]): number {
  const total = added.reduce((sum, value) => sum + value, 0);
  return added.reduce((sum, value, i) => sum + value * (i % width), 0) / total;
}

describe('a sweep of light', () => {
  it('crosses the picture once from left to right', () => {
    const middles = [1, 1.4, 1.8, 2.2, 2.6, 3].map((seconds) => middleOf(addedBy(seconds).added));
    for (let n = 1; n < middles.length; n += 1) expect(middles[n]!).toBeGreaterThan(middles[n - 1]!);
    expect(middles.at(-1)! - middles[0]!).toBeGreaterThan(0.4 * width);
  });

  it.each([
    ['the first frame', 0],
    ['the last frame', 4],
  ])('is not visible in %s: a film may follow or precede a photo', (_, seconds) => {
    expect(addedBy(seconds).added.every((value) => value === 0)).toBe(true);
  });

  it('is slanted: farther right at the top', () => {
    const { added } = addedBy(2);
    const rows = (from: number, to: number) =>
      added.map((value, i) => (i >= from * width && i < to * width ? value : 0));
    expect(middleOf(rows(0, 30))).toBeGreaterThan(middleOf(rows(66, 96)) + 10);
  });

  it('is stronger on the product and on bright pixels', () => {
    const maxGain = (alpha: number, luma: number) => {
      const canvas = makeGrey(luma);
      canvas.alpha.fill(alpha);
      sweep.front?.(canvas, momentAt(2));
      return Math.max(...canvas.y.map((value) => value - luma));
    };
    expect(maxGain(1, 80)).toBeGreaterThan(4 * maxGain(0, 80));
    expect(maxGain(1, 120) / (235 - 120)).toBeGreaterThan(maxGain(1, 40) / (235 - 40));
    expect(maxGain(1, 235)).toBe(0);
  });

  it('keeps chroma and darkens nothing', () => {
    const { added, canvas } = addedBy(2);
    expect(Math.min(...added)).toBe(0);
    expect([...canvas.u, ...canvas.v].every((value) => value === 128)).toBe(true);
  });
});
