import { makeCanvas, type Canvas, type Effect, type Moment } from './canvas.ts';
import { makeRowMap, mapBackdrop, mapProduct, measureParallax, type StagePose, type RowMap } from './pose.ts';
import { turnColumns, type Outline } from './outline.ts';
import type { Size } from '../pixels/plane.ts';
import { makeRowReader, readRow, type RowReader } from '../pixels/sample.ts';
import { BACKDROP_DEPTH, type Stage } from './stage.ts';

/** Draws the frames of a stage in sequence into the same canvas. */
export function makePainter(stage: Stage) {
  const canvas = makeCanvas(stage.frame.width, stage.frame.height);
  const backdrop = (['y', 'u', 'v'] as const).map((name) => makeRowReader(stage.backdrop[name]));
  const { width, height } = canvas;
  const full = { map: makeRowMap(height), width, height };
  const half = { map: makeRowMap(height / 2), width: width / 2, height: height / 2 };
  const paintProduct = makeProductBrush(stage, canvas, full, half);
  return { canvas, paint };

  function paint(moment: Moment, effects: Effect[]): void {
    const { pose } = moment;
    paintBackdrop(pose);
    for (const effect of effects) effect.behind?.(canvas, moment);
    canvas.alpha.fill(0);
    if (stage.product) paintProduct(pose);
    for (const effect of effects) effect.front?.(canvas, moment);
  }

  function paintBackdrop(pose: StagePose): void {
    mapBackdrop(stage, pose, full.map);
    mapBackdrop(stage, pose, half.map);
    mixRings(stage, measureParallax(stage, pose));
    const [y, u, v] = backdrop;
    paintPlane(y!, full, canvas.y);
    paintPlane(u!, half, canvas.u);
    paintPlane(v!, half, canvas.v);
  }
}

const FULL_FILL_AT = 2; // pixels of parallax from which the photo's own rim is completely replaced behind the product

/**
 * Fades the photo's own pixels around the product out of the backdrop, by the product's `parallax` in pixels. They stay
 * where floor and foot move together, because they contain the shadow on which the product stands.
 */
export function mixRings({ backdrop, depths, product }: Stage, parallax: number): void {
  for (const { plane, at, rest, filled } of product?.rings ?? []) {
    const { data: values, width } = backdrop[plane];
    const step = backdrop.y.width / width;
    for (let n = 0; n < at.length; n += 1) {
      const i = at[n]!;
      const depth = depths[Math.floor(i / width) * step]!;
      const apart = (parallax * Math.abs(1 - depth)) / (1 - BACKDROP_DEPTH);
      const share = Math.max(0, 1 - apart / FULL_FILL_AT);
      values[i] = filled[n]! + share * (rest[n]! - filled[n]!);
    }
  }
}

type Rows = Size & { map: RowMap };

function paintPlane(plane: RowReader, { map, width, height }: Rows, target: Uint8ClampedArray): void {
  const line = new Float32Array(width);
  const columns = new Float64Array(width);
  for (let y = 0; y < height; y += 1) {
    layColumns(columns, map, y, 0);
    readRow(plane, map.row[y]!, { columns, from: 0, to: width }, line);
    const at = y * width;
    for (let x = 0; x < width; x += 1) target[at + x] = line[x]!;
  }
}

/** The layer's columns shown by row `y` of the frame, starting at `from`. */
function layColumns(columns: Float64Array, { scale, offset }: RowMap, y: number, from: number): void {
  const [by, shift] = [scale[y]!, offset[y]!];
  for (let x = from; x < columns.length; x += 1) columns[x] = by * x + shift;
}

function makeProductBrush(stage: Stage, canvas: Canvas, full: Rows, half: Rows): (pose: StagePose) => void {
  const { product, margin } = stage;
  if (!product) return () => {};
  const { alpha, box, isCutBelow } = product;
  const open = (name: 'y' | 'u' | 'v') => ({ plane: makeRowReader(product.colours[name]), target: canvas[name] });
  const layers = [
    { rows: full, share: 1, alphaReader: makeRowReader(alpha.y), colours: [open('y')] },
    { rows: half, share: 0.5, alphaReader: makeRowReader(alpha.u), colours: [open('u'), open('v')] },
  ];
  const alphaRow = new Float32Array(canvas.width);
  const valueRow = new Float32Array(canvas.width);
  const makeReader = makeProductReader(product.outline, canvas.width);
  return (pose) => {
    for (const { rows, share, alphaReader, colours } of layers) {
      mapProduct(stage, pose, rows.map);
      for (let y = 0; y < rows.height; y += 1) {
        const { from, to } = findColumns(rows, share, y);
        if (from >= to) continue;
        const read = makeReader(rows, { y, from, to }, pose.yaw);
        read(alphaReader, alphaRow);
        for (let x = from; x < to; x += 1) alphaRow[x] = Math.min(1, Math.max(0, alphaRow[x]!));
        if (rows === full) canvas.alpha.set(alphaRow.subarray(from, to), y * full.width + from);
        for (const { plane, target } of colours) {
          read(plane, valueRow);
          blendRow(target.subarray(y * rows.width), from, to, alphaRow, valueRow);
        }
      }
    }
  };

  /** The columns of a frame's row that can show the product. */
  function findColumns({ map, width }: Rows, share: number, y: number): { from: number; to: number } {
    const [row, scale, offset] = [map.row[y]!, map.scale[y]!, map.offset[y]!];
    const bottom = isCutBelow ? Infinity : (box.bottom + margin.y) * share + PAD;
    if (row < (box.top + margin.y) * share - PAD || row > bottom) return { from: 0, to: 0 };
    const from = Math.floor(((box.left + margin.x) * share - PAD - offset) / scale);
    const to = Math.ceil(((box.right + margin.x) * share + PAD - offset) / scale);
    return { from: Math.max(0, from), to: Math.min(width, to) };
  }
}

const PAD = 12; // plane pixels: soft edges extend beyond the box, which only includes alpha of at least .5

/** Makes readers of the product's planes for a section of a frame's row. */
function makeProductReader(outline: Outline, width: number) {
  const all = new Float64Array(width);
  return ({ map, width: ownWidth }: Rows, { y, from, to }: { y: number; from: number; to: number }, yaw: number) => {
    const columns = all.subarray(0, to);
    layColumns(columns, map, y, from);
    if (yaw !== 0) turnColumns(outline, map.row[y]!, yaw, columns, ownWidth / width);
    return (plane: RowReader, out: Float32Array) => readRow(plane, map.row[y]!, { columns, from, to }, out);
  };
}

function blendRow(row: Uint8ClampedArray, from: number, to: number, alpha: Float32Array, value: Float32Array): void {
  for (let x = from; x < to; x += 1) {
    const opacity = alpha[x]!;
    if (opacity > 0) row[x] = row[x]! * (1 - opacity) + value[x]!;
  }
}
