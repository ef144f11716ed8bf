/** The pose of camera and product at one moment, and the resulting map of every row of the layers. */
import type { Point } from '../pixels/plane.ts';
import type { Edges } from './subject.ts';
import type { Stage } from './stage.ts';

/** Lengths in frame pixels at the product's depth; x to the right, y down. All zeros is the photo. */
export type StagePose = {
  /** Camera translation: near layers shift by this, far ones by less. */
  x: number;
  y: number;
  /** Camera approach: the product becomes 1 + push times as large. */
  push: number;
  /** Sine of the product's rotation about its vertical axis, its front to the right. */
  yaw: number;
};

export const AT_REST: StagePose = { x: 0, y: 0, push: 0, yaw: 0 };

/** The layer row of each frame row, and its columns: column = scale * x + offset. In pixels of the plane. */
export type RowMap = { row: Float64Array; scale: Float64Array; offset: Float64Array };

export function makeRowMap(rows: number): RowMap {
  return { row: new Float64Array(rows), scale: new Float64Array(rows), offset: new Float64Array(rows) };
}

/** The fixed point of the camera's approach, in frame pixels. */
export function findAim({ frame, product }: Stage): Point {
  const { width, height } = frame;
  if (!product) return { x: width / 2, y: height / 2 };
  const { left, top, right, bottom } = product.box;
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Scale at this depth when the product grows to 1 + push: a moving camera rather than a zoom. */
function grow(push: number, depth: number): number {
  return 1 / (1 - (push / (1 + push)) * depth);
}

/** Fills the map of the backdrop's rows. */
export function mapBackdrop(stage: Stage, pose: StagePose, map: RowMap): void {
  const { depths, margin } = stage;
  const aim = findAim(stage);
  const place = (row: number) => {
    const depth = depths[row]!;
    return aim.y + (row - margin.y - aim.y) * grow(pose.push, depth) + pose.y * depth;
  };
  const step = stage.frame.height / map.row.length; // 1 for luma, 2 for chroma
  const first = (step - 1) / 2;
  let row = 0;
  let lower = place(0);
  let upper = place(1);
  for (let n = 0; n < map.row.length; n += 1) {
    const y = first + n * step;
    while (upper < y && row < depths.length - 2) {
      row += 1;
      lower = upper;
      upper = place(row + 1);
    }
    const share = Math.min(1, Math.max(0, (y - lower) / (upper - lower)));
    const depth = depths[row]! + share * (depths[row + 1]! - depths[row]!);
    const scale = 1 / grow(pose.push, depth);
    const shift = aim.x + pose.x * depth;
    setRow(map, n, row + share, scale, aim.x - shift * scale + margin.x, step);
  }
}

/** Fills the map of the product's rows; its foot moves exactly like the floor under it. */
export function mapProduct(stage: Stage, pose: StagePose, map: RowMap): void {
  const { frame, margin } = stage;
  const aim = findAim(stage);
  const size = 1 + pose.push;
  const step = frame.height / map.row.length;
  const first = (step - 1) / 2;
  for (let n = 0; n < map.row.length; n += 1) {
    const y = aim.y + (first + n * step - aim.y - pose.y) / size;
    setRow(map, n, y + margin.y, 1 / size, aim.x - (aim.x + pose.x) / size + margin.x, step);
  }
}

/** Converts a map of luma to chroma, whose samples are at the centre of four pixels. */
function setRow(map: RowMap, n: number, row: number, scale: number, offset: number, step: number): void {
  const shift = (step - 1) / 2;
  map.row[n] = (row - shift) / step;
  map.scale[n] = scale;
  map.offset[n] = (offset + shift * scale - shift) / step;
}

/** Maps a point of the product to the frame. */
export function pointAt(stage: Stage, pose: StagePose, x: number, y: number): Point {
  const aim = findAim(stage);
  const size = 1 + pose.push;
  return { x: aim.x + (x - aim.x) * size + pose.x, y: aim.y + (y - aim.y) * size + pose.y };
}

/** Maps the product's box to the frame. */
export function boxAt(stage: Stage, pose: StagePose): Edges | undefined {
  if (!stage.product) return undefined;
  const { box } = stage.product;
  const from = pointAt(stage, pose, box.left, box.top);
  const to = pointAt(stage, pose, box.right, box.bottom);
  return { left: from.x, top: from.y, right: to.x, bottom: to.y };
}

/** The product's displacement relative to the far backdrop, in pixels. */
export function measureParallax(stage: Stage, pose: StagePose): number {
  const box = stage.product?.box;
  if (!box) return 0;
  const long = Math.max(box.right - box.left, box.bottom - box.top);
  const own = Math.abs(pose.push) + Math.abs(pose.yaw);
  return Math.hypot(pose.x, pose.y) + long * own;
}

const EDGE = 0.03; // of the frame's short side: margin around the product, if the photo has it

/** The largest share 0..1 of a move that keeps the product inside the frame in all poses. */
export function findRoom(stage: Stage, poses: StagePose[]): number {
  const { product, frame } = stage;
  if (!product) return 1;
  const edge = EDGE * Math.min(frame.width, frame.height);
  const rest = product.box;
  const isInside = (pose: StagePose) => {
    const box = boxAt(stage, pose)!;
    return (
      box.left >= Math.min(edge, rest.left - 0.5) &&
      box.top >= Math.min(edge, rest.top - 0.5) &&
      box.right <= Math.max(frame.width - edge, rest.right + 0.5) &&
      (product.isCutBelow || box.bottom <= Math.max(frame.height - edge, rest.bottom + 0.5))
    );
  };
  if (poses.every(isInside)) return 1;
  let low = 0;
  let high = 1;
  for (let n = 0; n < 12; n += 1) {
    const share = (low + high) / 2;
    if (poses.every((pose) => isInside(scalePose(pose, share)))) low = share;
    else high = share;
  }
  return low;
}

/** Scales a move; rotation in place needs no room and is unchanged. */
export function scalePose({ x, y, push, yaw }: StagePose, share: number): StagePose {
  return { x: x * share, y: y * share, push: push * share, yaw };
}
