/** Resizing and interpolation: at single points, of planes as if they were larger, and row by row. */
import { makePlane, type Plane, type Size } from './plane.ts';

/** A plane, mask or picture. */
type Samples = Size & { data: ArrayLike<number> };

/**
 * Bilinear interpolation at one point; beyond the border the border's value.
 * @param stride, offset select one channel of interleaved colours
 */
export function readPoint({ data, width, height }: Samples, px: number, py: number, stride = 1, offset = 0): number {
  const x = Math.min(width - 1, Math.max(0, px));
  const y = Math.min(height - 1, Math.max(0, py));
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1) * width;
  const fx = x - left;
  const fy = y - top;
  const above = top * width;
  return (
    (data[(above + left) * stride + offset]! * (1 - fx) + data[(above + right) * stride + offset]! * fx) * (1 - fy) +
    (data[(bottom + left) * stride + offset]! * (1 - fx) + data[(bottom + right) * stride + offset]! * fx) * fy
  );
}

/** Bilinear, pixel centres aligned; always a copy. Scaling down by more than 2 skips pixels: blur first. */
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

/** Copies these columns and rows of a picture `width` pixels wide with `channels` values per pixel. */
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

type Spread = { first: Int32Array; second: Int32Array; weight: Float32Array };

/** For every target position on one axis: its two source neighbours and the weight of the second. */
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

/** Reads a small plane bilinearly at the pixels of a larger picture, without allocating the large plane. */
export type Sampler = ReturnType<typeof makeSampler>;

/** Makes a sampler that reads planes of the size `small` as if they had the size `full` (bilinear). */
export function makeSampler(small: Size, full: Size) {
  const columns = spread(small.width, full.width);
  const rows = spread(small.height, full.height);
  const corners = new Int32Array(4);
  const weights = new Float64Array(4);
  /** Selects a pixel of the larger picture. */
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
  /** The column of the left small pixel and the start index of the upper row: the origin of `corners`. */
  const columnAt = (x: number) => columns.first[x]!;
  const rowAt = (y: number) => rows.first[y]! * small.width;
  return { corners, weights, moveTo, columnAt, rowAt };
}

/**
 * The value at the sampler's selected pixel.
 * @param values of the small size; `stride` and `offset` select one channel of interleaved planes
 */
export function sample({ corners, weights }: Sampler, values: Float32Array, stride = 1, offset = 0): number {
  let value = 0;
  for (let n = 0; n < 4; n += 1) value += weights[n]! * values[corners[n]! * stride + offset]!;
  return value;
}

/** 1 at each small pixel from which `corners` can start and reach a set pixel: elsewhere a sampler reads zeros. */
export function markReached({ width, height }: Size, isSet: (i: number) => boolean): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let i = 0; i < out.length; i += 1) {
    if (!isSet(i)) continue;
    out[i] = 1;
    if (i % width > 0) out[i - 1] = 1;
    if (i >= width) out[i - width] = 1;
    if (i % width > 0 && i >= width) out[i - width - 1] = 1;
  }
  return out;
}

const PHASES = 256;
const TAPS = makeTaps();

/** Cubic weights (Keys 1981, a = -0.5): bilinear would visibly soften a film as soon as its camera starts to move. */
function makeTaps(): Float32Array {
  const taps = new Float32Array(PHASES * 4);
  for (let phase = 0; phase < PHASES; phase += 1) {
    const t = phase / PHASES;
    taps[phase * 4] = -0.5 * t + t * t - 0.5 * t * t * t;
    taps[phase * 4 + 1] = 1 - 2.5 * t * t + 1.5 * t * t * t;
    taps[phase * 4 + 2] = 0.5 * t + 2 * t * t - 1.5 * t * t * t;
    taps[phase * 4 + 3] = -0.5 * t * t + 0.5 * t * t * t;
  }
  return taps;
}

/** A plane to be read row by row; beyond its border the border repeats. */
export type RowReader = ReturnType<typeof makeRowReader>;

/** State of `readRow`, one per plane: `line` is an interpolated row, padded by two border pixels on either side. */
export function makeRowReader(plane: Plane) {
  return { plane, line: new Float32Array(plane.width + 4) };
}

/** Columns of a plane, one for every position from `from` up to but excluding `to`, ascending. */
export type Columns = { columns: Float64Array; from: number; to: number };

/** Writes the plane's row `row` at each of these columns into out[from..to); cubic interpolation. */
export function readRow(reader: RowReader, row: number, { columns, from, to }: Columns, out: Float32Array): void {
  const { plane, line } = reader;
  const lastColumn = plane.width - 1;
  const first = Math.max(0, Math.floor(columns[from]!) - 1);
  const last = Math.min(lastColumn, Math.ceil(columns[to - 1]!) + 2);
  // includes the pixels that a border mixes in, because the line still holds another row
  mixRows(reader, row, Math.max(0, Math.min(first, lastColumn - 1)), Math.min(lastColumn, Math.max(last, 2)));
  for (let x = from; x < to; x += 1) {
    const at = columns[x]!;
    const held = at < 0 ? 0 : at > lastColumn ? lastColumn : at;
    const column = held | 0;
    const tap = (((held - column) * PHASES) | 0) << 2;
    out[x] =
      TAPS[tap]! * line[column + 1]! +
      TAPS[tap + 1]! * line[column + 2]! +
      TAPS[tap + 2]! * line[column + 3]! +
      TAPS[tap + 3]! * line[column + 4]!;
  }
}

/** Interpolates vertically into the reader's line, for the columns first..last. */
function mixRows({ plane: { data, width, height }, line }: RowReader, row: number, first: number, last: number): void {
  const held = Math.min(height - 1, Math.max(0, row));
  const top = Math.floor(held);
  const tap = Math.floor((held - top) * PHASES) * 4;
  const a = Math.max(0, top - 1) * width;
  const b = top * width;
  const c = Math.min(height - 1, top + 1) * width;
  const d = Math.min(height - 1, top + 2) * width;
  const wa = TAPS[tap]!;
  const wb = TAPS[tap + 1]!;
  const wc = TAPS[tap + 2]!;
  const wd = TAPS[tap + 3]!;
  if (tap === 0) for (let x = first; x <= last; x += 1) line[x + 2] = data[b + x]!;
  else {
    for (let x = first; x <= last; x += 1) {
      line[x + 2] = wa * data[a + x]! + wb * data[b + x]! + wc * data[c + x]! + wd * data[d + x]!;
    }
  }
  if (first === 0) line[0] = line[1] = line[2]!;
  if (last === width - 1) line[width + 2] = line[width + 3] = line[width + 1]!;
}
