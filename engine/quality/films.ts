/** Measures drawn frames, with ground-truth masks, so that only the filming is judged. */
import { ownMatting } from '../src/cutout/own-matting.ts';
import { mapBytes, type Rgb, type Size } from '../src/pixels/plane.ts';
import type { Canvas } from '../src/video/canvas.ts';
import { direct, directLoop, type Script } from '../src/video/director.ts';
import { makePainter } from '../src/video/draw.ts';
import { readMotion } from '../src/words/motion.ts';
import { placePicture } from '../src/video/placement.ts';
import { buildStage, type Stage } from '../src/video/stage.ts';
import { findSubject } from '../src/video/subject.ts';
import { toYuv } from '../src/video/yuv.ts';
import { readSample } from './composites.ts';

/** Builds the stage of a product that is cut out by its ground-truth mask. */
export async function buildSet(product: string, frame: Size) {
  const sample = await readSample(product, Math.max(frame.width, frame.height));
  const alpha = mapBytes(sample.alpha.data, (value) => Math.round(255 * value));
  const picture = { ...sample.picture, alpha };
  const subject = await findSubject(picture, ownMatting, async () => {});
  const stage = await buildStage(picture, subject, placePicture(picture, subject, frame), frame);
  return { product, stage, picture };
}

/** Writes the script of a move, or without words of the loop. */
export function writeScript(stage: Stage, frames: number, words?: string): Script {
  return words === undefined ? directLoop(stage, frames, 1) : direct(stage, readMotion(words, 1), frames, 1);
}

type FilmRow = ReturnType<typeof measureFilm>;

/** Measures a move, or without words the loop, whose last step leads back to its first frame. */
export function measureFilm(
  { product, stage, picture }: Awaited<ReturnType<typeof buildSet>>,
  frames: number,
  words?: string,
) {
  const { poses, effects } = writeScript(stage, frames, words);
  const { canvas, paint } = makePainter(stage);
  const lumas: Uint8ClampedArray[] = [];
  let [firstFrame, freeEdge] = [0, Infinity];
  for (const [n, pose] of poses.entries()) {
    paint({ pose, t: n / (frames - 1), seconds: n / FPS }, effects);
    lumas.push(canvas.y.slice());
    if (n === 0) firstFrame = measurePsnr(canvas, picture);
    if (n % 10 === 0) freeEdge = Math.min(freeEdge, measureFreeEdge(canvas));
  }
  const isLoop = words === undefined;
  const shown = isLoop ? [...lumas, lumas[0]!] : lumas;
  const steps = shown.slice(1).map((luma, n) => meanDifference(luma, shown[n]!));
  const step = steps.reduce((sum, value) => sum + value, 0) / steps.length;
  return {
    name: `${product}, ${words ?? 'basic loop'}`,
    /** PSNR in dB against the upload. */
    firstFrame,
    /** Mean from frame to frame, in luma levels. */
    step,
    /** Largest step, and that from a loop's last frame to its first, as multiples of the mean. */
    largest: Math.max(...steps) / step,
    wrap: isLoop ? steps.at(-1)! / step : undefined,
    /** Least distance of the product to the frame's edge, as a share of the frame's width. */
    freeEdge,
  };
}

/** PSNR in dB of the drawn frame against the resized upload, over all three planes. */
function measurePsnr(canvas: Canvas, picture: Rgb): number {
  const photo = toYuv(picture.data, canvas.width, canvas.height);
  let squares = 0;
  let count = 0;
  for (const plane of ['y', 'u', 'v'] as const) {
    const [drawn, wanted] = [canvas[plane], photo[plane].data];
    for (let i = 0; i < drawn.length; i += 1) squares += (drawn[i]! - wanted[i]!) ** 2;
    count += drawn.length;
  }
  return 10 * Math.log10(255 ** 2 / Math.max(1e-9, squares / count));
}

function meanDifference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

/** 0 if the product is cropped. */
function measureFreeEdge({ width, height, alpha }: Canvas): number {
  let free = Infinity;
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! < 0.5) continue;
    const x = i % width;
    const y = (i - x) / width;
    free = Math.min(free, x, y, width - 1 - x, height - 1 - y);
  }
  return free / width;
}

const FPS = 30;
const SIDE = 384;
const PRODUCTS = ['mug', 'kettle', 'handbag', 'teddy'];
const MOVES = ['push in', 'orbit left', 'pan right', 'crane up', 'rotate', 'parallax'];

/** Measures every film and prints a table; returns a sentence per shortcoming. */
export async function judgeFilms(): Promise<string[]> {
  const rows: FilmRow[] = [];
  for (const product of PRODUCTS) {
    const set = await buildSet(product, { width: SIDE, height: SIDE });
    rows.push(measureFilm(set, 96), ...MOVES.map((move) => measureFilm(set, 90, move)));
  }
  console.log(`films drawn at ${SIDE} x ${SIDE}, by true masks`);
  console.table(
    rows.map((row) => ({
      film: row.name,
      'first frame dB': row.firstFrame.toFixed(1),
      'mean step': row.step.toFixed(2),
      'largest/mean': row.largest.toFixed(2),
      'wrap/mean': row.wrap?.toFixed(2) ?? '',
      'free edge %': (100 * row.freeEdge).toFixed(1),
    })),
  );
  return findFilmShortcomings(rows);
}

/** Returns a sentence per reason why a film cannot be sold. */
export function findFilmShortcomings(rows: FilmRow[]): string[] {
  return rows.flatMap(({ name, firstFrame, step, largest, wrap, freeEdge }) => {
    const faults: string[] = [];
    if (firstFrame < 40) faults.push(`${name}: the first frame is ${firstFrame.toFixed(1)} dB from the photo`);
    if (step < 0.02) faults.push(`${name}: nothing moves`);
    if (largest > 3) faults.push(`${name}: a step is ${largest.toFixed(1)} times the mean`);
    if (wrap !== undefined && wrap > 1.5) faults.push(`${name}: the loop jumps`);
    if (freeEdge <= 0) faults.push(`${name}: the product is cropped`);
    return faults;
  });
}
