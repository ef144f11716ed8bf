import { spread } from './planes.ts';

interface Size {
  width: number;
  height: number;
}

/** Reads a small plane bilinearly at the pixels of a larger picture, without making the large plane. */
export interface Sampler {
  corners: Int32Array;
  weights: Float64Array;
  moveTo: (x: number, y: number) => void;
}

export function makeSampler(small: Size, full: Size): Sampler {
  const columns = spread(small.width, full.width);
  const rows = spread(small.height, full.height);
  const corners = new Int32Array(4);
  const weights = new Float64Array(4);
  const moveTo = (x: number, y: number) => {
    const top = rows.first[y]! * small.width;
    const bottom = rows.second[y]! * small.width;
    const fx = columns.weight[x]!;
    const fy = rows.weight[y]!;
    corners[0] = top + columns.first[x]!;
    corners[1] = top + columns.second[x]!;
    corners[2] = bottom + columns.first[x]!;
    corners[3] = bottom + columns.second[x]!;
    weights[0] = (1 - fx) * (1 - fy);
    weights[1] = fx * (1 - fy);
    weights[2] = (1 - fx) * fy;
    weights[3] = fx * fy;
  };
  return { corners, weights, moveTo };
}

/** The value where the sampler stands; `stride` and `offset` address one channel of interleaved planes. */
export function sample({ corners, weights }: Sampler, plane: Float32Array, stride = 1, offset = 0): number {
  let value = 0;
  for (let n = 0; n < 4; n += 1) value += weights[n]! * plane[corners[n]! * stride + offset]!;
  return value;
}
