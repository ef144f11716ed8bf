import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeNoise } from './noise.ts';
import { makeRandom } from './random.ts';

describe('chance', () => {
  it('is the same for the same seed, another for another, and between 0 and 1', () => {
    const draw = (seed: number) => {
      const random = makeRandom(seed);
      return Array.from({ length: 200 }, random);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    const values = [-1, 0, 2 ** 32, 1.5].flatMap(draw);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });

  it('knows no sign and no fraction of a seed', () => {
    const draw = (seed: number) => Array.from({ length: 3 }, makeRandom(seed));
    expect(draw(-1)).toEqual(draw(2 ** 32 - 1));
    expect(draw(7.9)).toEqual(draw(7));
  });

  it('of one who draws does not depend on another who draws', () => {
    const [one, other] = [makeRandom(3), makeRandom(3)];
    const mixed = [one(), other(), other(), one(), one(), other()];
    const alone = makeRandom(3);
    const [first, second, third] = [alone(), alone(), alone()];
    expect(mixed).toEqual([first, first, second, second, third, third]);
  });

  it('falls alike on all parts, for neighbouring seeds too', () => {
    const counts = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 2000; seed += 1) counts[Math.floor(10 * makeRandom(seed)())]! += 1;
    for (const count of counts) expect(Math.abs(count - 200)).toBeLessThan(60);
  });
});

describe('noise', () => {
  const noise = makeNoise(3);
  const place = fc.double({ min: -300, max: 300, noNaN: true });

  it('has no jump, along x and along y', () => {
    for (let at = -5; at < 5; at += 0.01) {
      expect(Math.abs(noise.at(at + 0.01, 2.3) - noise.at(at, 2.3))).toBeLessThan(0.08);
      expect(Math.abs(noise.at(2.3, at + 0.01) - noise.at(2.3, at))).toBeLessThan(0.08);
    }
  });

  it('is nothing at the corners of its cells, and up to 1 between them', () => {
    let most = 0;
    for (let x = -3; x < 4; x += 1) {
      for (let y = -3; y < 4; y += 1) {
        expect(Math.abs(noise.at(x, y))).toBe(0);
        most = Math.max(most, Math.abs(noise.at(x + 0.5, y + 0.5)));
      }
    }
    for (let n = 0; n < 10_000; n += 1) {
      most = Math.max(most, Math.abs(noise.at((n % 100) * 0.37, Math.floor(n / 100) * 0.37)));
    }
    expect(most).toBeGreaterThan(0.8);
    expect(most).toBeLessThanOrEqual(1);
  });

  it('stays about -1 to 1, wherever one looks, and as many octaves as one adds', () => {
    fc.assert(
      fc.property(place, place, fc.integer({ min: 1, max: 7 }), (x, y, octaves) => {
        expect(Math.abs(noise.at(x, y))).toBeLessThan(1.05);
        expect(Math.abs(noise.sum(x, y, octaves))).toBeLessThan(1.3);
      }),
    );
  });

  it('is about nothing on the whole: neither brighter nor darker', () => {
    let sum = 0;
    for (let n = 0; n < 4000; n += 1) sum += noise.at((n % 63) * 0.61 + 0.3, Math.floor(n / 63) * 0.61 + 0.3);
    expect(Math.abs(sum / 4000)).toBeLessThan(0.05);
  });

  it('gets finer with every octave', () => {
    const rough = (octaves: number) => {
      let sum = 0;
      for (let x = 0; x < 20; x += 0.05)
        sum += Math.abs(noise.sum(x + 0.05, 1.7, octaves) - noise.sum(x, 1.7, octaves));
      return sum;
    };
    expect(noise.sum(0.4, 0.6, 0)).toBe(0);
    expect(rough(2)).toBeGreaterThan(1.1 * rough(1));
    expect(rough(4)).toBeGreaterThan(1.1 * rough(2));
  });

  it('is the same for the same seed and another for another', () => {
    expect(makeNoise(3).at(0.4, 0.6)).toBe(noise.at(0.4, 0.6));
    expect(makeNoise(4).at(0.4, 0.6)).not.toBe(noise.at(0.4, 0.6));
  });
});
