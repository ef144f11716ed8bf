import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import type { Plane } from './plane.ts';
import { makeRandom } from './random.ts';
import {
  makeRowReader,
  makeSampler,
  markReached,
  readPoint,
  readRow,
  resizePlane,
  sample,
  type Columns,
} from './sample.ts';

const slope = drawPlane({ width: 9, height: 7 }, (x, y) => 2 * x + 10 * y);

it('reads a slope exactly between pixels, and the edge beyond them', () => {
  expect(readPoint(slope, 2.25, 3.5)).toBeCloseTo(39.5, 5);
  expect(readPoint(slope, -4, 3)).toBe(30);
  expect(readPoint(slope, 99, 99)).toBe(76);
});

it('reads one channel of interleaved colours', () => {
  const picture = { width: 2, height: 1, data: Uint8Array.of(10, 20, 30, 50, 60, 70) };
  expect(readPoint(picture, 0.5, 0, 3, 1)).toBe(40);
});

it('reads a small plane like a resized one', () => {
  const large = { width: 31, height: 19 };
  const full = resizePlane(slope, large);
  const sampler = makeSampler(slope, large);
  for (const [x, y] of [
    [0, 0],
    [7, 3],
    [30, 18],
    [16, 9],
  ] as const) {
    sampler.moveTo(x, y);
    expect(sample(sampler, slope.data)).toBeCloseTo(full.data[y * 31 + x]!, 4);
  }
});

/** The columns scale * x + shift, x counting from `from`. */
function evenly(scale: number, shift: number, from: number, to: number): Columns {
  return { columns: Float64Array.from({ length: to }, (_, x) => scale * x + shift), from, to };
}

it("reads a slope's rows exactly, shifted by fractions and scaled", () => {
  const reader = makeRowReader(slope);
  const out = new Float32Array(9);
  readRow(reader, 2.5, evenly(1, 0.25, 2, 6), out);
  expect([...out.subarray(2, 6)]).toEqual([29.5, 31.5, 33.5, 35.5]);
  readRow(reader, 3, evenly(0.5, 2, 0, 8), out);
  expect([...out.subarray(0, 8)]).toEqual([34, 35, 36, 37, 38, 39, 40, 41]);
});

const random = makeRandom(21);
const noisy = drawPlane({ width: 13, height: 9 }, () => 100 * random());
const place = fc.record({
  x: fc.double({ min: -20, max: 30, noNaN: true }),
  y: fc.double({ min: -20, max: 30, noNaN: true }),
});

describe('a point between pixels', () => {
  it("has a value between the picture's minimum and maximum", () => {
    const [min, max] = [Math.min(...noisy.data) - 1e-3, Math.max(...noisy.data) + 1e-3];
    fc.assert(
      fc.property(place, ({ x, y }) => {
        const value = readPoint(noisy, x, y);
        expect(value >= min && value <= max).toBe(true);
      }),
    );
  });

  it('is continuous', () => {
    const STEP = 1e-4;
    fc.assert(
      fc.property(place, ({ x, y }) => {
        expect(Math.abs(readPoint(noisy, x + STEP, y) - readPoint(noisy, x, y))).toBeLessThan(0.03);
        expect(Math.abs(readPoint(noisy, x, y + STEP) - readPoint(noisy, x, y))).toBeLessThan(0.03);
      }),
    );
  });
});

describe('a sampler', () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 30 }), height: fc.integer({ min: 1, max: 30 }) });

  it('mixes four pixels of the small plane by weights with a sum of 1, from its named corner', () => {
    fc.assert(
      fc.property(size, size, fc.nat(), fc.nat(), (small, full, column, row) => {
        const sampler = makeSampler(small, full);
        const [x, y] = [column % full.width, row % full.height];
        sampler.moveTo(x, y);
        expect(sampler.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
        expect(sampler.weights.every((weight) => weight >= 0)).toBe(true);
        expect(sampler.corners.every((corner) => corner >= 0 && corner < small.width * small.height)).toBe(true);
        expect(sampler.corners[0]).toBe(sampler.rowAt(y) + sampler.columnAt(x));
      }),
    );
  });

  it('is marked as reached exactly if one of its four pixels is set', () => {
    fc.assert(
      fc.property(size, size, fc.integer(), (small, full, seed) => {
        const random = makeRandom(seed);
        const isSet = Array.from({ length: small.width * small.height }, () => random() < 0.3);
        const reached = markReached(small, (i) => isSet[i]!);
        const sampler = makeSampler(small, full);
        for (let i = 0; i < full.width * full.height; i += 1) {
          const [x, y] = [i % full.width, Math.floor(i / full.width)];
          sampler.moveTo(x, y);
          const reads = sampler.corners.some((corner) => isSet[corner]);
          expect(reached[sampler.rowAt(y) + sampler.columnAt(x)] === 1).toBe(reads);
        }
      }),
    );
  });

  it("of the plane's own size reads the plane", () => {
    const sampler = makeSampler(noisy, noisy);
    for (let y = 0; y < noisy.height; y += 1) {
      for (let x = 0; x < noisy.width; x += 1) {
        sampler.moveTo(x, y);
        expect(sample(sampler, noisy.data)).toBe(noisy.data[y * noisy.width + x]);
      }
    }
  });

  it('reads one channel of interleaved planes', () => {
    const sampler = makeSampler({ width: 2, height: 1 }, { width: 4, height: 1 });
    sampler.moveTo(1, 0);
    expect(sample(sampler, Float32Array.of(0, 10, 20, 30, 50, 70), 3, 1)).toBe(10 + 0.25 * 40);
  });
});

it('reads a flat plane as flat, also cubically, at any row, scale and shift', () => {
  const flat: Plane = drawPlane({ width: 11, height: 6 }, () => 37.5);
  const reader = makeRowReader(flat);
  const out = new Float32Array(40);
  const step = fc.double({ min: -12, max: 12, noNaN: true });
  fc.assert(
    fc.property(step, fc.double({ min: 0.1, max: 3, noNaN: true }), step, (row, scale, shift) => {
      for (const by of [scale, 1]) {
        readRow(reader, row, evenly(by, shift, 0, 40), out);
        expect(out.every((value) => Math.abs(value - 37.5) < 1e-3)).toBe(true);
      }
    }),
  );
});

it('returns a number if the camera is a rounding error beside a pixel', () => {
  const reader = makeRowReader(slope);
  const out = new Float32Array(5);
  for (const shift of [-1e-17, 2 - 1e-16, -5e-324]) {
    readRow(reader, 3, evenly(1, shift, 0, 5), out);
    for (const [x, value] of out.entries()) expect(Math.abs(value - 30 - 2 * (x + shift))).toBeLessThan(0.3);
  }
});

it('repeats the edge where the plane is out of view, whatever was read before', () => {
  const reader = makeRowReader(slope);
  const out = new Float32Array(6);
  for (const [shift, edge] of [
    [40.5, 46],
    [-40.5, 30],
  ] as const) {
    readRow(reader, 6, evenly(1, 0, 0, 6), out);
    readRow(reader, 3, evenly(1, shift, 0, 6), out);
    for (const value of out) expect(Math.abs(value - edge)).toBeLessThan(1.5);
  }
});
