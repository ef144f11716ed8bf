import { makeCanvas, type Canvas } from './canvas.ts';
import type { Effect, Moment } from './effect.ts';
import { makeLens } from './lens.ts';
import { makeRowMap, mapBackdrop, mapProduct, measureParallax, type StagePose, type RowMap } from './pose.ts';
import { turnColumns, type Outline } from './outline.ts';
import { makeRowReader, readColumns, readRow, type RowReader } from '../pixels/sample.ts';
import type { Stage } from './stage.ts';

/** Draws frames of one stage, each into the same canvas. */
export type Painter = {
  canvas: Canvas;
  paint: (moment: Moment, effects: Effect[]) => void;
};

/** Paints the frames of one stage, one after the other, into the same canvas. */
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

type Rows = {
  map: RowMap;
  width: number;
  height: number;
};

function paintPlane(
  plane: RowReader,
  { map, width, height }: Rows,
  target: Uint8ClampedArray,
  line: Float32Array,
): void {
  for (let y = 0; y < height; y += 1) {
    readRow(plane, map.row[y]!, { scale: map.scale[y]!, shift: map.offset[y]!, from: 0, to: width }, line);
    const at = y * width;
    for (let x = 0; x < width; x += 1) target[at + x] = line[x]!;
  }
}

function makeProductBrush(stage: Stage, canvas: Canvas, full: Rows, half: Rows): (pose: StagePose) => void {
  const { product } = stage;
  if (!product) return () => {};
  const { colours, cover, box } = product;
  const luma = [{ plane: makeRowReader(colours.y), target: canvas.y }];
  const chroma = [
    { plane: makeRowReader(colours.u), target: canvas.u },
    { plane: makeRowReader(colours.v), target: canvas.v },
  ];
  const layers = [
    { rows: full, share: 1, covered: makeRowReader(cover.y), colours: luma },
    { rows: half, share: 0.5, covered: makeRowReader(cover.u), colours: chroma },
  ];
  const alpha = new Float32Array(canvas.width);
  const value = new Float32Array(canvas.width);
  const makeReader = makeProductReader(product.outline, canvas.width);
  return (pose) => {
    for (const layer of layers) {
      const { rows, covered } = layer;
      mapProduct(stage, pose, rows.map);
      forRows(rows, layer.share, (y, from, to) => {
        const read = makeReader(rows, { y, from, to }, pose.yaw);
        read(covered, alpha);
        holdCover(alpha, from, to);
        if (rows === full) canvas.cover.set(alpha.subarray(from, to), y * full.width + from);
        for (const { plane, target } of layer.colours) {
          read(plane, value);
          blendRow(rows, y, from, to, alpha, value, target);
        }
      });
    }
  };

  /** The frame's rows and columns that can show any of the product. */
  function forRows(rows: Rows, share: number, paintRow: (y: number, from: number, to: number) => void): void {
    const top = (box.top + stage.margin.y) * share - PAD;
    const bottom = product!.isCutBelow ? Infinity : (box.bottom + stage.margin.y) * share + PAD;
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

/** Makes readers of the product's planes for what a piece of a row of the frame shows of them. */
function makeProductReader(outline: Outline, width: number) {
  const columns = new Float64Array(width);
  return ({ map, width: ownWidth }: Rows, { y, from, to }: { y: number; from: number; to: number }, yaw: number) => {
    const [row, scale, offset] = [map.row[y]!, map.scale[y]!, map.offset[y]!];
    if (yaw === 0)
      return (plane: RowReader, out: Float32Array) => {
        readRow(plane, row, { scale, shift: offset, from, to }, out);
      };
    const own = columns.subarray(0, to);
    for (let x = from; x < to; x += 1) own[x] = scale * x + offset;
    turnColumns(outline, row, yaw, own, ownWidth / width);
    return (plane: RowReader, out: Float32Array) => {
      readColumns(plane, row, { columns: own, from, to }, out);
    };
  };
}

function holdCover(cover: Float32Array, from: number, to: number): void {
  for (let x = from; x < to; x += 1) {
    const value = cover[x]!;
    if (value > 1) cover[x] = 1;
    else if (value < 0) cover[x] = 0;
  }
}

function blendRow(
  { width }: Rows,
  y: number,
  from: number,
  to: number,
  alpha: Float32Array,
  value: Float32Array,
  target: Uint8ClampedArray,
): void {
  const at = y * width;
  for (let x = from; x < to; x += 1) {
    const cover = alpha[x]!;
    if (cover > 0) target[at + x] = target[at + x]! * (1 - cover) + value[x]!;
  }
}
