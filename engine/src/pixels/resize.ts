import { makePlane, type Plane, type Size } from './plane.ts';

/** Bilinear, pixel centres aligned; always a copy. Shrinking by more than two skips pixels: blur first. */
export function resizePlane(plane: Plane, { width, height }: Size): Plane {
  if (plane.width === width && plane.height === height) return { width, height, data: plane.data.slice() };
  const { data } = plane;
  const out = makePlane({ width, height });
  const columns = spread(plane.width, width);
  const rows = spread(plane.height, height);
  for (let y = 0; y < height; y += 1) {
    const top = rows.first[y]! * plane.width;
    const bottom = rows.second[y]! * plane.width;
    const fy = rows.weight[y]!;
    for (let x = 0; x < width; x += 1) {
      const left = columns.first[x]!;
      const right = columns.second[x]!;
      const fx = columns.weight[x]!;
      const upper = data[top + left]! * (1 - fx) + data[top + right]! * fx;
      const lower = data[bottom + left]! * (1 - fx) + data[bottom + right]! * fx;
      out.data[y * width + x] = upper * (1 - fy) + lower * fy;
    }
  }
  return out;
}

/** What lies in these columns and rows of a picture `width` pixels wide, `channels` values a pixel. */
export function pickPixels(
  values: Float32Array | Uint8Array,
  channels: number,
  width: number,
  columns: Int32Array,
  rows: Int32Array,
): Float32Array {
  const out = new Float32Array(columns.length * rows.length * channels);
  let to = 0;
  for (const row of rows) {
    for (let x = 0; x < columns.length; x += 1, to += channels) {
      const from = (row * width + columns[x]!) * channels;
      for (let c = 0; c < channels; c += 1) out[to + c] = values[from + c]!;
    }
  }
  return out;
}

export type Spread = { first: Int32Array; second: Int32Array; weight: Float32Array };

/** For every target position along one axis: its two source neighbours and the share of the second. */
export function spread(from: number, to: number): Spread {
  const first = new Int32Array(to);
  const second = new Int32Array(to);
  const weight = new Float32Array(to);
  for (let i = 0; i < to; i += 1) {
    const at = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    first[i] = Math.floor(at);
    second[i] = Math.min(from - 1, first[i]! + 1);
    weight[i] = at - first[i]!;
  }
  return { first, second, weight };
}
