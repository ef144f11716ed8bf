// Cubic interpolation (Keys 1981, a = -0.5): bilinear would soften the picture in the frame in which the camera starts to move.

const PHASES = 256;
const TAPS = makeTaps();

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

/** A plane that can be read between its pixels, row by row; beyond its edges it goes on as its edge. */
export interface Plane {
  values: Float32Array;
  width: number;
  height: number;
  /** One row between two rows, with two pixels of edge on either side. */
  line: Float32Array;
}

export function makePlane(values: Float32Array, width: number, height: number): Plane {
  return { values, width, height, line: new Float32Array(width + 4) };
}

/** Writes into out[from..to): the plane's row `row` at the columns scale * x + offset, x counting from `from`. */
export function readRow(
  plane: Plane,
  row: number,
  scale: number,
  offset: number,
  from: number,
  to: number,
  out: Float32Array,
): void {
  const { width, line } = plane;
  const first = Math.max(0, Math.floor(scale * from + offset) - 1);
  const last = Math.min(width - 1, Math.ceil(scale * (to - 1) + offset) + 2);
  mixRows(plane, row, Math.min(first, width - 1), Math.max(last, 0));
  if (scale === 1) return shiftRow(line, offset, width, from, to, out);
  const most = width - 1;
  let at = scale * from + offset;
  for (let x = from; x < to; x += 1, at += scale) {
    const held = at < 0 ? 0 : at > most ? most : at;
    const column = held | 0;
    const tap = (((held - column) * PHASES) | 0) << 2;
    out[x] =
      TAPS[tap]! * line[column + 1]! +
      TAPS[tap + 1]! * line[column + 2]! +
      TAPS[tap + 2]! * line[column + 3]! +
      TAPS[tap + 3]! * line[column + 4]!;
  }
}

/** Of a camera that only travels: all columns lie equally between two pixels. */
function shiftRow(
  line: Float32Array,
  offset: number,
  width: number,
  from: number,
  to: number,
  out: Float32Array,
): void {
  const whole = Math.floor(offset);
  const tap = Math.floor((offset - whole) * PHASES) * 4;
  const wa = TAPS[tap]!;
  const wb = TAPS[tap + 1]!;
  const wc = TAPS[tap + 2]!;
  const wd = TAPS[tap + 3]!;
  for (let x = from; x < to; x += 1) {
    const column = Math.min(width - 1, Math.max(0, x + whole));
    if (tap === 0) out[x] = line[column + 2]!;
    else out[x] = wa * line[column + 1]! + wb * line[column + 2]! + wc * line[column + 3]! + wd * line[column + 4]!;
  }
}

/** The vertical half of the interpolation, into the plane's line, for the columns first..last. */
function mixRows({ values, width, height, line }: Plane, row: number, first: number, last: number): void {
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
  if (tap === 0) for (let x = first; x <= last; x += 1) line[x + 2] = values[b + x]!;
  else {
    for (let x = first; x <= last; x += 1) {
      line[x + 2] = wa * values[a + x]! + wb * values[b + x]! + wc * values[c + x]! + wd * values[d + x]!;
    }
  }
  if (first === 0) line[0] = line[1] = line[2]!;
  if (last === width - 1) line[width + 2] = line[width + 3] = line[width + 1]!;
}
