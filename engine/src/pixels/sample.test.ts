import { expect, it } from 'vitest';
import { boxBlur, softBlur } from './blur.ts';
import { makePlane, type Plane } from './plane.ts';
import { resizePlane } from './resize.ts';
import { makeRowReader, makeSampler, readInside, readPoint, readRow, readSmall, sample } from './sample.ts';

function ramp(width: number, height: number, value: (x: number, y: number) => number): Plane {
  const plane = makePlane({ width, height });
  for (let i = 0; i < plane.data.length; i += 1) plane.data[i] = value(i % width, Math.floor(i / width));
  return plane;
}

const slope = ramp(9, 7, (x, y) => 2 * x + 10 * y);

it('reads a slope exactly between its pixels, and its edge beyond them', () => {
  expect(readPoint(slope, 2.25, 3.5)).toBeCloseTo(39.5, 5);
  expect(readPoint(slope, -4, 3)).toBe(30);
  expect(readPoint(slope, 99, 99)).toBe(76);
  expect(readInside(slope, 2.25, 3.5)).toBeCloseTo(39.5, 5);
  expect(readInside(slope, -0.5, 3)).toBe(15);
  expect(readInside(slope, -4, 3)).toBe(0);
});

it('reads one channel of interleaved colours', () => {
  const picture = { width: 2, height: 1, data: Uint8Array.of(10, 20, 30, 50, 60, 70) };
  expect(readPoint(picture, 0.5, 0, 3, 1)).toBe(40);
});

it('reads a small plane as if it had been resized', () => {
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
    expect(readSmall(slope, large, x, y)).toBeCloseTo(full.data[y * 31 + x]!, 4);
  }
});

it('reads rows of a slope exactly, moved by parts of a pixel and scaled', () => {
  const reader = makeRowReader(slope);
  const out = new Float32Array(9);
  readRow(reader, 2.5, { scale: 1, shift: 0.25, from: 2, to: 6 }, out);
  expect([...out.subarray(2, 6)]).toEqual([29.5, 31.5, 33.5, 35.5]);
  readRow(reader, 3, { scale: 0.5, shift: 2, from: 0, to: 8 }, out);
  expect([...out.subarray(0, 8)]).toEqual([34, 35, 36, 37, 38, 39, 40, 41]);
});

it('blurs to the mean of the window inside the picture', () => {
  const dot = ramp(5, 5, (x, y) => (x === 2 && y === 2 ? 90 : 0));
  expect(boxBlur(dot, 1).data[6]).toBe(10);
  expect(boxBlur(dot, 9).data[0]).toBeCloseTo(90 / 25, 5);
  expect(softBlur(dot, 0.3).data).toEqual(dot.data);
  const even = ramp(8, 6, () => 7);
  for (const value of softBlur(even, 3).data) expect(value).toBeCloseTo(7, 5);
});
