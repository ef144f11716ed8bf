import { describe, expect, it } from 'vitest';
import { makeRowReader, readRow } from './sample.ts';

const WIDTH = 32;
const HEIGHT = 8;
const noisy = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => (i * 2654435761) % 251);
const slope = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => 2 * (i % WIDTH) + 5 * Math.floor(i / WIDTH));

function read(values: Float32Array, row: number, scale: number, offset: number): Float32Array {
  const out = new Float32Array(16);
  const columns = Float64Array.from({ length: 16 }, (_, x) => scale * x + offset);
  readRow(makeRowReader({ data: values, width: WIDTH, height: HEIGHT }), row, { columns, from: 0, to: 16 }, out);
  return out;
}

describe('a row reader', () => {
  it('returns the pixels at whole positions, also at the edges', () => {
    expect([...read(noisy, 3, 1, 8)]).toEqual([...noisy.subarray(3 * WIDTH + 8, 3 * WIDTH + 24)]);
    expect([...read(noisy, 0, 1, 0)]).toEqual([...noisy.subarray(0, 16)]);
    expect([...read(noisy, HEIGHT - 1, 1, 16)]).toEqual([...noisy.subarray(7 * WIDTH + 16, 8 * WIDTH)]);
  });

  it('follows a slope at any scale', () => {
    const values = read(slope, 3.5, 0.75, 6.25);
    for (const [x, value] of values.entries()) expect(value).toBeCloseTo(2 * (0.75 * x + 6.25) + 17.5, 1);
  });

  it('moves equally at scale 1 and near it', () => {
    const exact = read(noisy, 2.25, 1, 7.5);
    const nearly = read(noisy, 2.25, 1 + 1e-9, 7.5);
    for (const [x, value] of exact.entries()) expect(value).toBeCloseTo(nearly[x]!, 1);
  });

  it('reads columns of any spacing like single ones', () => {
    const reader = makeRowReader({ data: noisy, width: WIDTH, height: HEIGHT });
    const columns = Float64Array.from({ length: 16 }, (_, x) => 6.25 + 0.05 * x ** 2);
    const out = new Float32Array(16);
    readRow(reader, 3.5, { columns, from: 0, to: 16 }, out);
    for (const [x, value] of out.entries()) expect(value).toBeCloseTo(read(noisy, 3.5, 1, columns[x]!)[0]!, 3);
  });

  it('repeats the edge beyond the edge', () => {
    const beyond = read(noisy, -4, 1, -20);
    expect(new Set(beyond)).toEqual(new Set([noisy[0]]));
  });
});
