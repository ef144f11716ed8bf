import { describe, expect, it } from 'vitest';
import { drawMask, drawRgb, type Colour } from '../../test/draw.ts';
import { learnMixture, logDensity, logLikeliest, startMixture } from './mixture.ts';
import { makeRandom } from './random.ts';

const SIZE = { width: 60, height: 50 };
const everywhere = drawMask(SIZE, () => true);

/** Two kinds of cloth with some grain, one to the left and one to the right. */
function drawCloths(left: Colour, right: Colour, grain = 6) {
  const random = makeRandom(5);
  return drawRgb(SIZE, (x) => {
    const [red, green, blue] = x < 30 ? left : right;
    const more = () => grain * (random() - 0.5);
    return [red + more(), green + more(), blue + more()];
  });
}

describe('a mixture of colours', () => {
  const picture = drawCloths([180, 60, 50], [60, 90, 170]);

  it('knows the colours that it was made of, and no others', () => {
    const mixture = startMixture(picture, everywhere, 1);
    for (const [red, green, blue] of [
      [180, 60, 50],
      [60, 90, 170],
    ] as const) {
      expect(logDensity(mixture, red, green, blue)).toBeGreaterThan(logDensity(mixture, 120, 200, 90) + 20);
    }
  });

  it('of one side knows nothing of the other', () => {
    const left = drawMask(SIZE, (x) => x < 30);
    const mixture = startMixture(picture, left, 1);
    expect(logDensity(mixture, 180, 60, 50)).toBeGreaterThan(logDensity(mixture, 60, 90, 170) + 20);
    const other = startMixture(picture, left, 0);
    expect(logDensity(other, 60, 90, 170)).toBeGreaterThan(logDensity(other, 180, 60, 50) + 20);
  });

  it('is no worse for having learnt', () => {
    const first = startMixture(picture, everywhere, 1);
    const learnt = learnMixture(picture, everywhere, 1, first);
    const score = (mixture: Float64Array) => {
      let sum = 0;
      for (let i = 0; i < picture.data.length; i += 3) {
        sum += logDensity(mixture, picture.data[i]!, picture.data[i + 1]!, picture.data[i + 2]!);
      }
      return sum;
    };
    expect(score(learnt)).toBeGreaterThanOrEqual(score(first) - 1e-6 * Math.abs(score(first)));
  });

  it('has a likeliest component, never likelier than all together', () => {
    const mixture = startMixture(picture, everywhere, 1);
    for (let grey = 0; grey < 256; grey += 15) {
      const all = logDensity(mixture, grey, 90, 120);
      const one = logLikeliest(mixture, grey, 90, 120);
      if (all > -600) expect(one).toBeLessThanOrEqual(all + 1e-9);
    }
  });

  it.each([
    ['one flat colour', drawCloths([7, 7, 7], [7, 7, 7], 0)],
    ['two flat colours', drawCloths([0, 0, 0], [255, 255, 255], 0)],
    ['greys only', drawCloths([100, 100, 100], [140, 140, 140], 0)],
  ])('of %s is a number everywhere', (_, flat) => {
    const mixture = learnMixture(flat, everywhere, 1, startMixture(flat, everywhere, 1));
    expect([...mixture].every(Number.isFinite)).toBe(true);
    for (const value of [0, 128, 255]) expect(logDensity(mixture, value, value, 255 - value)).not.toBeNaN();
  });

  it('is made of a single pixel', () => {
    const mixture = startMixture(
      picture,
      drawMask(SIZE, (x, y) => x === 3 && y === 4),
      1,
    );
    expect([...mixture].every(Number.isFinite)).toBe(true);
  });

  it('is the same whatever the order of the pixels that it learns from', () => {
    const first = startMixture(picture, everywhere, 1);
    const pixels = Array.from({ length: everywhere.data.length }, (_, i) => [
      ...picture.data.subarray(3 * i, 3 * i + 3),
    ]);
    const turned = { ...picture, data: Uint8Array.from(pixels.reverse().flat()) };
    const [one, other] = [learnMixture(picture, everywhere, 1, first), learnMixture(turned, everywhere, 1, first)];
    for (const [n, value] of one.entries()) expect(other[n]).toBeCloseTo(value, 6);
  });

  it('is a density: over all colours it sums up to 1', () => {
    const grain = drawCloths([120, 120, 120], [128, 124, 120], 60);
    const mixture = learnMixture(grain, everywhere, 1, startMixture(grain, everywhere, 1));
    const STEP = 5;
    let sum = 0;
    for (let red = 60; red < 190; red += STEP) {
      for (let green = 60; green < 190; green += STEP) {
        for (let blue = 60; blue < 190; blue += STEP) sum += Math.exp(logDensity(mixture, red, green, blue));
      }
    }
    expect(sum * STEP ** 3).toBeCloseTo(1, 1);
  });

  it('moves with its colours', () => {
    const shifted = { ...picture, data: picture.data.map((value) => value + 20) };
    const [own, moved] = [picture, shifted].map((one) => startMixture(one, everywhere, 1)) as [
      Float64Array,
      Float64Array,
    ];
    for (const [red, green, blue] of [
      [180, 60, 50],
      [60, 90, 170],
      [120, 80, 110],
    ] as const) {
      const [here, there] = [logDensity(own, red, green, blue), logDensity(moved, red + 20, green + 20, blue + 20)];
      if (here > -500) expect(there).toBeCloseTo(here, 6);
    }
  });

  it('forgets a component that made no pixel', () => {
    const first = startMixture(picture, everywhere, 1);
    const left = learnMixture(
      picture,
      drawMask(SIZE, (x) => x < 30),
      1,
      first,
    );
    expect(left.length).toBeLessThan(first.length);
    expect(left.length % 10).toBe(0);
  });
});
