/** What a film does, measured in its drawn frames and with true masks, so that only the filming is judged. */
import { ownMatting } from '../src/cutout/own-matting.ts';
import type { Decoded } from '../src/pixels/decode.ts';
import { erode } from '../src/pixels/mask.ts';
import { makeMask, type Mask, type Plane, type Point, type Size } from '../src/pixels/plane.ts';
import { resizePlane } from '../src/pixels/resize.ts';
import { direct, directLoop, type Script } from '../src/video/director.ts';
import { makePainter, type Painter } from '../src/video/draw.ts';
import type { Lying } from '../src/video/extend.ts';
import { readMotion } from '../src/words/motion.ts';
import { placePicture } from '../src/video/placement.ts';
import { buildStage, type Stage } from '../src/video/stage.ts';
import { findSubject } from '../src/video/subject.ts';
import { toYuv } from '../src/video/yuv.ts';
import { readSample } from './composites.ts';

/** A product before the camera, cut out by its true mask (or not at all). */
export type Set = {
  stage: Stage;
  painter: Painter;
  lying: Lying;
  picture: Decoded;
  /** 1 where the product is for certain, of the frame's size. */
  solid: Mask;
};

export async function buildSet(product: string, frame: Size, hasSubject = true): Promise<Set> {
  const sample = await readSample(product, Math.max(frame.width, frame.height));
  const alpha = Uint8Array.from(sample.alpha.data, (value) => Math.round(255 * value));
  const picture = { ...sample.picture, alpha };
  const subject = hasSubject ? await findSubject(picture, ownMatting, async () => {}) : undefined;
  const lying = placePicture(picture, subject, frame);
  const stage = await buildStage(picture, subject, lying, frame);
  return { stage, painter: makePainter(stage), lying, picture, solid: placeMask(sample.alpha, lying, frame) };
}

function placeMask(alpha: Plane, lying: Lying, frame: Size): Mask {
  const placed = resizePlane(alpha, lying).data;
  const out = makeMask(frame);
  for (let i = 0; i < out.data.length; i += 1) {
    const x = (i % frame.width) - lying.left;
    const y = Math.floor(i / frame.width) - lying.top;
    if (x < 0 || y < 0 || x >= lying.width || y >= lying.height) continue;
    out.data[i] = placed[y * lying.width + x]! > 0.9 ? 1 : 0;
  }
  return out;
}

/** Luma of one frame of a script. */
export function drawFrame({ painter }: Set, script: Script, n: number, fps = 30): Uint8ClampedArray {
  const frames = script.poses.length;
  painter.paint({ pose: script.poses[n]!, n, t: n / (frames - 1), seconds: n / fps }, script.effects);
  return painter.canvas.y.slice();
}

export function writeScript({ stage }: Set, prompt: string, frames: number): Script {
  return direct(stage, readMotion(prompt, 1), frames, 1);
}

/**
 * PSNR in dB of the frame drawn for the first moment against the upload resized, over all three planes, where it lies.
 */
export function measureFirstFrame(set: Set, script: Script): number {
  drawFrame(set, script, 0);
  const { width, height, y, u, v } = set.painter.canvas;
  const photo = toYuv(set.picture.data, width, height);
  const pairs = [
    [y, photo.y.data],
    [u, photo.u.data],
    [v, photo.v.data],
  ] as const;
  let squares = 0;
  let count = 0;
  for (const [drawn, wanted] of pairs) {
    for (let i = 0; i < drawn.length; i += 1) squares += (drawn[i]! - wanted[i]!) ** 2;
    count += drawn.length;
  }
  return 10 * Math.log10(255 ** 2 / Math.max(1e-9, squares / count));
}

/** Mean step between following frames, in luma levels; the last entry of a loop is the step back to its first frame. */
export function measureSteps(set: Set, script: Script, isLoop: boolean, every = 1): number[] {
  const steps: number[] = [];
  const first = drawFrame(set, script, 0);
  let last = first;
  for (let n = every; n < script.poses.length; n += every) {
    const next = drawFrame(set, script, n);
    steps.push(meanStep(last, next));
    last = next;
  }
  if (isLoop) steps.push(meanStep(last, first));
  return steps;
}

export function meanStep(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

export function loopScript({ stage }: Set, frames: number): Script {
  return directLoop(stage, frames, 1);
}

/** Pixels between the product and the nearest edge of the frame, over every frame; 0 when it is cropped. */
export function measureFreeEdge(set: Set, script: Script, every: number): number {
  const { width, height, cover } = set.painter.canvas;
  let free = Infinity;
  for (let n = 0; n < script.poses.length; n += every) {
    drawFrame(set, script, n);
    for (let i = 0; i < cover.length; i += 1) {
      if (cover[i]! < 0.5) continue;
      const x = i % width;
      const y = (i - x) / width;
      free = Math.min(free, x, y, width - 1 - x, height - 1 - y);
    }
  }
  return free;
}

/** By how many pixels the masked part of `a` has moved in `b`: the whole shift with the least squared difference. */
export function findShift(
  a: Uint8ClampedArray,
  b: Uint8ClampedArray,
  mask: Uint8Array,
  { width, height }: Size,
  reach: number,
): Point {
  const at = [...mask.keys()].filter((i) => mask[i] && i % 3 === 0);
  let best = { x: 0, y: 0, cost: Infinity };
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      let cost = 0;
      let count = 0;
      for (const i of at) {
        const x = (i % width) + dx;
        const y = Math.floor(i / width) + dy;
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        cost += (a[i]! - b[y * width + x]!) ** 2;
        count += 1;
      }
      if (count > at.length / 2 && cost / count < best.cost) best = { x: dx, y: dy, cost: cost / count };
    }
  }
  return { x: best.x, y: best.y };
}

/** The parts whose motion tells one move from another. */
export type Parts = {
  product: Uint8Array;
  /** The uppermost quarter of the frame, without the product. */
  backdrop: Uint8Array;
  /** The product's lowest tenth. */
  foot: Uint8Array;
  /** The floor just below the foot. */
  floor: Uint8Array;
};

export function findParts({ solid, stage }: Set): Parts {
  const { width, height } = stage.frame;
  const inner = erode(solid, 3).data;
  const { product } = stage;
  if (!product) throw new Error('no product on this set');
  const tall = product.box.bottom - product.box.top;
  const row = (i: number) => Math.floor(i / width);
  const column = (i: number) => i % width;
  const beside = (i: number) =>
    column(i) > product.foot.left - 0.1 * tall && column(i) < product.foot.right + 0.1 * tall;
  return {
    product: inner,
    backdrop: solid.data.map((value, i) => (value === 0 && row(i) < height / 4 && column(i) > width / 20 ? 1 : 0)),
    foot: inner.map((value, i) => (value && row(i) > product.base - 0.12 * tall ? 1 : 0)),
    floor: solid.data.map((_, i) =>
      row(i) > product.base + 3 && row(i) < product.base + 0.06 * tall && beside(i) ? 1 : 0,
    ),
  };
}
