/** Measures drawn frames, with ground-truth masks, so that only the filming is judged. */
import { ownMatting } from '../src/cutout/own-matting.ts';
import type { Decoded } from '../src/pixels/decode.ts';
import type { Size } from '../src/pixels/plane.ts';
import { direct, directLoop, type Script } from '../src/video/director.ts';
import { makePainter, type Painter } from '../src/video/draw.ts';
import { readMotion } from '../src/words/motion.ts';
import { placePicture } from '../src/video/placement.ts';
import { buildStage, type Stage } from '../src/video/stage.ts';
import { findSubject } from '../src/video/subject.ts';
import { toYuv } from '../src/video/yuv.ts';
import { readSample } from './composites.ts';

/** A product on its stage, cut out by its ground-truth mask. */
export type Set = {
  stage: Stage;
  painter: Painter;
  picture: Decoded;
};

export async function buildSet(product: string, frame: Size): Promise<Set> {
  const sample = await readSample(product, Math.max(frame.width, frame.height));
  const alpha = Uint8Array.from(sample.alpha.data, (value) => Math.round(255 * value));
  const picture = { ...sample.picture, alpha };
  const subject = await findSubject(picture, ownMatting, async () => {});
  const pictureBox = placePicture(picture, subject, frame);
  const stage = await buildStage(picture, subject, pictureBox, frame);
  return { stage, painter: makePainter(stage), picture };
}

/** Luma of one frame of a script. */
function drawFrame({ painter }: Set, script: Script, n: number, fps = 30): Uint8ClampedArray {
  const frames = script.poses.length;
  painter.paint({ pose: script.poses[n]!, t: n / (frames - 1), seconds: n / fps }, script.effects);
  return painter.canvas.y.slice();
}

export function writeScript({ stage }: Set, prompt: string, frames: number): Script {
  return direct(stage, readMotion(prompt, 1), frames, 1);
}

/** PSNR in dB of the first drawn frame against the resized upload, over all three planes. */
function measureFirstFrame(set: Set, script: Script): number {
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

/** Mean difference of consecutive frames in luma levels; a loop's last entry compares its last and first frame. */
function measureSteps(set: Set, script: Script, isLoop: boolean): number[] {
  const steps: number[] = [];
  const first = drawFrame(set, script, 0);
  let last = first;
  for (let n = 1; n < script.poses.length; n += 1) {
    const next = drawFrame(set, script, n);
    steps.push(meanStep(last, next));
    last = next;
  }
  if (isLoop) steps.push(meanStep(last, first));
  return steps;
}

function meanStep(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

export function loopScript({ stage }: Set, frames: number): Script {
  return directLoop(stage, frames, 1);
}

/** Least distance in pixels between the product and the frame's edge; 0 if it is cropped. */
function measureFreeEdge(set: Set, script: Script, every: number): number {
  const { width, height, alpha: alpha } = set.painter.canvas;
  let free = Infinity;
  for (let n = 0; n < script.poses.length; n += every) {
    drawFrame(set, script, n);
    for (let i = 0; i < alpha.length; i += 1) {
      if (alpha[i]! < 0.5) continue;
      const x = i % width;
      const y = (i - x) / width;
      free = Math.min(free, x, y, width - 1 - x, height - 1 - y);
    }
  }
  return free;
}

export type FilmRow = {
  film: string;
  product: string;
  /** dB of the first drawn frame against the upload. */
  firstFrame: number;
  /** Mean step from frame to frame, in luma levels. */
  step: number;
  /** Largest step, and for a loop the step from the last frame to the first, as multiples of the mean. */
  largest: number;
  wrap: number | undefined;
  /** Least distance of the product to the frame's edge, as a share of the frame's side. */
  freeEdge: number;
};

const SIDE = 384;
const PRODUCTS = ['mug', 'kettle', 'handbag', 'teddy'];
const MOVES = ['push in', 'orbit left', 'pan right', 'crane up', 'rotate', 'parallax'];

/** Measures every film and prints a table; returns a sentence per shortcoming. */
export async function judgeFilms(): Promise<string[]> {
  const rows: FilmRow[] = [];
  for (const product of PRODUCTS) {
    const set = await buildSet(product, { width: SIDE, height: SIDE });
    rows.push(measureFilm(set, product, 'basic loop', loopScript(set, 96), true));
    for (const move of MOVES) rows.push(measureFilm(set, product, move, writeScript(set, move, 90), false));
  }
  console.log(`films drawn at ${SIDE} x ${SIDE}, by true masks`);
  console.table(
    rows.map((row) => ({
      film: row.film,
      product: row.product,
      'first frame dB': row.firstFrame.toFixed(1),
      'mean step': row.step.toFixed(2),
      'largest/mean': row.largest.toFixed(2),
      'wrap/mean': row.wrap?.toFixed(2) ?? '',
      'free edge %': (100 * row.freeEdge).toFixed(1),
    })),
  );
  return findFilmShortcomings(rows);
}

/** Measures one film; a loop's last step leads back to its first frame. */
export function measureFilm(set: Set, product: string, film: string, script: Script, isLoop: boolean): FilmRow {
  const steps = measureSteps(set, script, isLoop);
  const mean = steps.reduce((sum, value) => sum + value, 0) / steps.length;
  return {
    film,
    product,
    firstFrame: measureFirstFrame(set, script),
    step: mean,
    largest: Math.max(...steps) / mean,
    wrap: isLoop ? steps.at(-1)! / mean : undefined,
    freeEdge: measureFreeEdge(set, script, 10) / SIDE,
  };
}

/** Returns a sentence per reason why a film cannot be sold. */
export function findFilmShortcomings(rows: FilmRow[]): string[] {
  return rows.flatMap((row) => {
    const name = `${row.product}, ${row.film}`;
    const faults: string[] = [];
    if (row.firstFrame < 40) faults.push(`${name}: the first frame is ${row.firstFrame.toFixed(1)} dB from the photo`);
    if (row.step < 0.02) faults.push(`${name}: nothing moves`);
    if (row.largest > 3) faults.push(`${name}: a step is ${row.largest.toFixed(1)} times the mean`);
    if (row.wrap !== undefined && row.wrap > 1.5) faults.push(`${name}: the loop jumps`);
    if (row.freeEdge <= 0) faults.push(`${name}: the product is cropped`);
    return faults;
  });
}
