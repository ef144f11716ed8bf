import { makeCanvas, type Canvas } from './canvas.ts';
import type { Effect, Moment } from './effect.ts';
import { makeLens } from './lens.ts';
import { makeRowMap, mapBackdrop, mapProduct, measureParallax, type Pose, type RowMap } from './pose.ts';
import { makePlane, readRow, type Plane } from './sampling.ts';
import type { Stage } from './stage.ts';

/** Draws frames of one stage, each into the same canvas. */
export interface Painter {
  canvas: Canvas;
  paint: (moment: Moment, effects: Effect[]) => void;
}

export function makePainter(stage: Stage): Painter {
  const canvas = makeCanvas(stage.frame.width, stage.frame.height);
  const lens = makeLens(stage);
  const { width, height } = canvas;
  const full = { map: makeRowMap(height), width, height };
  const half = { map: makeRowMap(height / 2), width: width / 2, height: height / 2 };
  const paintProduct = makeProductBrush(stage, canvas, full, half);
  const line = new Float32Array(width);
  return { canvas, paint };

  function paint(moment: Moment, effects: Effect[]): void {
    const { pose } = moment;
    paintBackdrop(moment, effects);
    for (const effect of effects) effect.behind?.(canvas, moment);
    canvas.cover.fill(0);
    if (stage.product) paintProduct(pose);
    for (const effect of effects) effect.front?.(canvas, moment);
  }

  function paintBackdrop(moment: Moment, effects: Effect[]): void {
    const shakes = effects.flatMap(({ shake }) => (shake ? [shake] : []));
    const shake = shakes.length > 0 ? (row: number) => sum(shakes.map((one) => one(row, moment))) : undefined;
    mapBackdrop(stage, moment.pose, full.map, shake);
    mapBackdrop(stage, moment.pose, half.map, shake);
    lens.parallax(measureParallax(stage, moment.pose), moment.pose.lift);
    const [y, u, v] = lens.focus(sum(effects.map((effect) => effect.blur?.(moment) ?? 0)));
    paintPlane(y, full, canvas.y, line);
    paintPlane(u, half, canvas.u, line);
    paintPlane(v, half, canvas.v, line);
  }
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Rows {
  map: RowMap;
  width: number;
  height: number;
}

function paintPlane(plane: Plane, { map, width, height }: Rows, target: Uint8ClampedArray, line: Float32Array): void {
  for (let y = 0; y < height; y += 1) {
    readRow(plane, map.row[y]!, map.scale[y]!, map.offset[y]!, 0, width, line);
    const at = y * width;
    for (let x = 0; x < width; x += 1) target[at + x] = line[x]!;
  }
}

function makeProductBrush(stage: Stage, canvas: Canvas, full: Rows, half: Rows): (pose: Pose) => void {
  const { product } = stage;
  if (!product) return () => {};
  const { colours, cover, halfCover } = product;
  const { width, height } = colours;
  const lit = makePlane(colours.y, width, height);
  const covered = makePlane(cover, width, height);
  const chroma = [colours.u, colours.v].map((values) => makePlane(values, width / 2, height / 2));
  const halfCovered = makePlane(halfCover, width / 2, height / 2);
  const alpha = new Float32Array(canvas.width);
  const value = new Float32Array(canvas.width);
  return (pose) => {
    mapProduct(stage, pose, full.map);
    mapProduct(stage, pose, half.map);
    forRows(full, covered, (y, from, to) => {
      readCover(covered, full, y, from, to, alpha);
      canvas.cover.set(alpha.subarray(from, to), y * full.width + from);
      blendRow(lit, full, y, from, to, alpha, value, canvas.y);
    });
    forRows(half, halfCovered, (y, from, to) => {
      readCover(halfCovered, half, y, from, to, alpha);
      blendRow(chroma[0]!, half, y, from, to, alpha, value, canvas.u);
      blendRow(chroma[1]!, half, y, from, to, alpha, value, canvas.v);
    });
  };

  /** The frame's rows and columns that can show any of the product. */
  function forRows(rows: Rows, plane: Plane, paintRow: (y: number, from: number, to: number) => void): void {
    const share = plane.width / width;
    const box = product!.box;
    const top = (box.top + stage.margin.y) * share - PAD;
    const bottom = (product!.isCutBelow ? height : box.bottom + stage.margin.y) * share + PAD;
    for (let y = 0; y < rows.height; y += 1) {
      const row = rows.map.row[y]!;
      if (row < top || row > bottom) continue;
      const scale = rows.map.scale[y]!;
      const offset = rows.map.offset[y]!;
      const from = Math.floor(((box.left + stage.margin.x) * share - PAD - offset) / scale);
      const to = Math.ceil(((box.right + stage.margin.x) * share + PAD - offset) / scale);
      if (to > 0 && from < rows.width) paintRow(y, Math.max(0, from), Math.min(rows.width, to));
    }
  }
}

const PAD = 12; // plane pixels: soft edges reach beyond the box, which counts half covered pixels only

function readCover(plane: Plane, { map }: Rows, y: number, from: number, to: number, out: Float32Array): void {
  readRow(plane, map.row[y]!, map.scale[y]!, map.offset[y]!, from, to, out);
  for (let x = from; x < to; x += 1) {
    const value = out[x]!;
    if (value > 1) out[x] = 1;
    else if (value < 0) out[x] = 0;
  }
}

function blendRow(
  plane: Plane,
  { map, width }: Rows,
  y: number,
  from: number,
  to: number,
  alpha: Float32Array,
  value: Float32Array,
  target: Uint8ClampedArray,
): void {
  readRow(plane, map.row[y]!, map.scale[y]!, map.offset[y]!, from, to, value);
  const at = y * width;
  for (let x = from; x < to; x += 1) {
    const cover = alpha[x]!;
    if (cover > 0) target[at + x] = target[at + x]! * (1 - cover) + value[x]!;
  }
}
