// The outline of a thing turned on a lathe: crisp on both sides of an upright axis, at the same distance from it.
import type { Sharpness } from './sharpness.ts';
import { localScale } from './edge-cut.ts';
import type { LabPlanes } from '../pixels/lab.ts';

/** In pixels of the picture it was found in. Rows run along the axis, which leans by `lean` radians from the vertical. */
export interface UprightOutline {
  /** Where the axis crosses the middle row of the picture. */
  middle: number;
  lean: number;
  width: number;
  height: number;
  /** First and last row of the thing. */
  top: number;
  bottom: number;
  /** Half the width at each row of the picture; 0 above and below. */
  reach: Float32Array;
  /** Mean crispness over the rows, both sides together, 0..1. */
  crisp: number;
}

const DUES = 0.45; // crispness that a pixel of outline must have to be worth its length
const FLAT_DUES = 0.97; // the same where it runs level, as table edges and grain do
const STEEPEST = 12; // px that the half width may change from row to row; tops and bottoms may be flat
const LEANS = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((degrees) => (degrees * Math.PI) / 180);
const FINE_LEANS = [-0.5, 0, 0.5].map((degrees) => (degrees * Math.PI) / 180);
const MIDDLES = { from: 0.28, to: 0.72 }; // shares of the width
const MARGIN = 3; // px that stay free at the picture's border
const NARROWEST = 2; // px

/** How crisp each pixel's edge is, 0..1, by its direction. */
interface Crispness {
  width: number;
  height: number;
  /** Of edges that run down the picture. */
  down: Float32Array;
  /** Of edges that run across it. */
  across: Float32Array;
}

/** The symmetric outline with the most crisp edge on both sides; undefined where none is worth its length. */
export function findUprightOutline(
  lab: LabPlanes,
  sharpness: Sharpness,
  width: number,
  height: number,
): UprightOutline | undefined {
  const crispness = splitByDirection(lab, sharpness, width, height);
  const half = halve(crispness);
  let best: Traced | undefined;
  const consider = (plane: Crispness, middle: number, lean: number, steepest: number) => {
    const traced = trace(fold(plane, middle, lean), plane, middle, lean, steepest);
    if (traced.end.gain > (best?.end.gain ?? 0)) best = traced;
  };
  for (const lean of LEANS) {
    for (let x = Math.floor(MIDDLES.from * half.width); x < MIDDLES.to * half.width; x += 1)
      consider(half, x, lean, STEEPEST / 2);
  }
  if (!best) return undefined;
  const coarse = { middle: best.middle * 2 + 0.5, lean: best.lean };
  best = undefined;
  for (const turn of FINE_LEANS) {
    for (let step = -2; step <= 2; step += 0.5) consider(crispness, coarse.middle + step, coarse.lean + turn, STEEPEST);
  }
  return best && readBack(best);
}

/** How far a pixel lies from the axis (negative: left of it), half the outline's width there, and its row along the axis; in the outline's own pixels. */
export function placeOnAxis(
  { middle, lean, height, reach, top, bottom }: UprightOutline,
  x: number,
  y: number,
): { across: number; half: number; row: number } {
  const [dx, dy] = [x - middle, y - height / 2];
  const across = dx * Math.cos(lean) + dy * Math.sin(lean);
  const row = height / 2 + dy * Math.cos(lean) - dx * Math.sin(lean);
  if (row < top || row > bottom) return { across, half: 0, row };
  const above = Math.floor(row);
  const below = Math.min(bottom, above + 1);
  return { across, half: reach[above]! + (reach[below]! - reach[above]!) * (row - above), row };
}

function splitByDirection(lab: LabPlanes, { edges, noise }: Sharpness, width: number, height: number): Crispness {
  const down = new Float32Array(width * height);
  const across = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const i = y * width + x;
      let [xx, yy] = [1e-6, 1e-6];
      for (const plane of [lab.l, lab.a, lab.b]) {
        const dx = plane[i + 1]! - plane[i - 1]!;
        const dy = plane[i + width]! - plane[i - width]!;
        xx += dx * dx;
        yy += dy * dy;
      }
      down[i] = edges[i]! * Math.sqrt(xx / (xx + yy));
      across[i] = edges[i]! * Math.sqrt(yy / (xx + yy));
    }
  }
  // Each direction on a scale of its own: wood is full of lines that run one way.
  const rate = (plane: Float32Array) => {
    const scale = localScale({ edges: plane, noise }, width, height);
    return plane.map((edge, i) => 1 - Math.exp(-((edge / scale[i]!) ** 2)));
  };
  return { width, height, down: widenLine(rate(down), 1), across: widenLine(rate(across), width) };
}

/** The most of a pixel and its two neighbours across the edge: a turned thing is never symmetric to the pixel. */
function widenLine(plane: Float32Array, step: number): Float32Array {
  return plane.map((value, i) => Math.max(value, plane[i - step] ?? 0, plane[i + step] ?? 0));
}

/** A copy of half the size that keeps the crispest of four. */
function halve({ width, height, down, across }: Crispness): Crispness {
  const size = { width: width >> 1, height: height >> 1 };
  const shrink = (plane: Float32Array) => {
    const out = new Float32Array(size.width * size.height);
    for (let i = 0; i < out.length; i += 1) {
      const x = i % size.width;
      const at = ((i - x) / size.width) * 2 * width + x * 2;
      out[i] = Math.max(plane[at]!, plane[at + 1]!, plane[at + width]!, plane[at + width + 1]!);
    }
    return out;
  };
  return { ...size, down: shrink(down), across: shrink(across) };
}

/** Both sides of the axis laid on each other: rows of `wide` distances from it. What only one side has counts little. */
interface Folded {
  wide: number;
  down: Float32Array;
  /** Running sums along each row of what a pixel of flat outline is worth. */
  across: Float32Array;
}

function fold({ width, height, down, across }: Crispness, middle: number, lean: number): Folded {
  const sideways = Math.abs(lean) * (height / 2);
  const wide = Math.floor(Math.min(middle, width - 1 - middle) - sideways) - MARGIN;
  if (wide < 4) return { wide: 0, down: new Float32Array(), across: new Float32Array() };
  const out = { wide, down: new Float32Array(wide * height), across: new Float32Array(wide * height) };
  const [sin, cos] = [Math.sin(lean), Math.cos(lean)];
  for (let row = 0; row < height; row += 1) {
    const along = row - height / 2;
    let sum = 0;
    for (let r = 0; r < wide; r += 1) {
      const left = placeAt(middle - r * cos - along * sin, height / 2 + along * cos - r * sin, width, height);
      const right = placeAt(middle + r * cos - along * sin, height / 2 + along * cos + r * sin, width, height);
      sum += Math.sqrt(across[left]! * across[right]!) - FLAT_DUES;
      out.down[row * wide + r] = Math.sqrt(down[left]! * down[right]!) - DUES;
      out.across[row * wide + r] = sum;
    }
  }
  return out;
}

function placeAt(x: number, y: number, width: number, height: number): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x)));
  return Math.min(height - 1, Math.max(0, Math.round(y))) * width + column;
}

/** Row by row, the outline from the axis to the axis that gains most (dynamic programming). */
function trace(folded: Folded, { width, height }: Crispness, middle: number, lean: number, steepest: number): Traced {
  const { wide, across } = folded;
  const from = new Int16Array(wide * height).fill(-1);
  let before: Float32Array = new Float32Array(wide).fill(-Infinity);
  let end = { gain: 0, row: -1, r: 0 };
  for (let row = MARGIN; row < height - MARGIN; row += 1) {
    before = goDown(folded, before, from, row, steepest);
    for (let r = NARROWEST; r < wide; r += 1) {
      const closed = before[r]! + across[row * wide + r]!;
      if (closed > end.gain) end = { gain: closed, row, r };
    }
  }
  return { middle, lean, width, height, folded, from, end };
}

/** What the best outlines that reach each half width of this row have gained; notes in `from` where they were in the row before. */
function goDown(
  { wide, down, across }: Folded,
  before: Float32Array,
  from: Int16Array,
  row: number,
  steepest: number,
): Float32Array {
  const here = new Float32Array(wide).fill(-Infinity);
  const at = row * wide;
  for (let r = NARROWEST; r < wide; r += 1) {
    let best = across[at + r]!; // begins here, flat from the axis
    const last = Math.min(wide - 1, r + steepest);
    for (let k = Math.max(NARROWEST, r - steepest); k <= last; k += 1) {
      const flat = k < r ? across[at + r]! - across[at + k]! : across[at + k]! - across[at + r]!;
      if (before[k]! + flat <= best) continue;
      best = before[k]! + flat;
      from[at + r] = k;
    }
    here[r] = best + down[at + r]!;
  }
  return here;
}

function readBack({ middle, lean, width, height, folded, from, end }: Traced): UprightOutline | undefined {
  if (end.row < 0) return undefined;
  const { wide, down } = folded;
  const reach = new Float32Array(height);
  let [row, r, crisp] = [end.row, end.r, 0];
  for (;;) {
    reach[row] = r;
    crisp += down[row * wide + r]! + DUES;
    const origin = from[row * wide + r] ?? -1;
    if (origin < 0) break;
    r = origin;
    row -= 1;
  }
  crisp /= end.row - row + 1;
  return { middle, lean, width, height, top: row, bottom: end.row, reach: smoothReach(reach, row, end.row), crisp };
}

interface Traced {
  middle: number;
  lean: number;
  width: number;
  height: number;
  folded: Folded;
  /** For each row and half width the half width in the row above; -1 where an outline begins. */
  from: Int16Array;
  end: { gain: number; row: number; r: number };
}

const SPIKE = 4; // rows to each side: a line of the background that runs into the outline is thinner
const NOTCH = 8; // rows to each side: between a thick base and its far rim the outline may slip inwards
const ALONG = 12; // rows to each side: the lines of one wall are some pixels apart, and the outline changes between them
const CORNER = 6; // px that the half width changes where a shoulder, a stem or a foot begins

/** The outline of a turned thing is even: no spikes, no notches, no steps from line to line. */
function smoothReach(reach: Float32Array, top: number, bottom: number): Float32Array {
  const median = reach.map((value, row) => {
    const rows = Math.min(SPIKE, row - top, bottom - row);
    if (rows <= 0) return value;
    return reach.slice(row - rows, row + rows + 1).sort()[rows]!;
  });
  const pick = (plane: Float32Array, choose: (...values: number[]) => number) =>
    plane.map((_, row) => choose(...plane.subarray(Math.max(0, row - NOTCH), row + NOTCH + 1)));
  const closed = pick(pick(median, Math.max), Math.min);
  return closed.map((value, row) => {
    let [sum, count] = [value, 1];
    for (let k = 1; k <= Math.min(ALONG, row - top, bottom - row); k += 1) {
      const [before, after] = [closed[row - k]!, closed[row + k]!];
      if (Math.abs(before - value) > CORNER || Math.abs(after - value) > CORNER) break;
      sum += before + after;
      count += 2;
    }
    return sum / count;
  });
}
