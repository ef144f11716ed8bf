/** How good the cut-outs are: figures per class of picture for tune-* and judge-*, and floors below which it fails. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Marks } from '../src/cutout/marks.ts';
import { UnclearProduct, type Matting } from '../src/cutout/matting.ts';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { distanceInside, findBox } from '../src/pixels/mask.ts';
import { forgetPeakMemory, peakMemory } from '../src/peak-memory.ts';
import { makePlane, type Plane, type Rgb } from '../src/pixels/plane.ts';
import { PRODUCTS, readSample } from './composites.ts';

const JUDGED = fileURLToPath(new URL('./pictures/judge/', import.meta.url));

export type JudgeCase = { name: string; set: string; class: string; picture: Rgb; truth: Plane };

export type JudgeRow = {
  name: string;
  set: string;
  class: string;
  wasRefused: boolean;
  /** At alpha 0.5. */
  iou: number;
  /** Mean absolute error of alpha over the whole picture, 0..1. */
  error: number;
  isGood: boolean;
  isWrong: boolean;
  cpuSeconds: number;
  /** Resident memory of the whole process while it was cut out. */
  peakBytes: number;
};

async function listCases(prefix = ''): Promise<string[]> {
  const files = await readdir(JUDGED);
  return files.filter((file) => file.endsWith('.jpg') && file.startsWith(prefix)).map((file) => file.slice(0, -4));
}

/** `name` is "judge-glass-03". */
export async function readCase(name: string): Promise<JudgeCase> {
  const { data, info } = await sharp(`${JUDGED}${name}.jpg`).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const mask = await sharp(`${JUDGED}${name}.mask.png`).greyscale().raw().toBuffer();
  const [set = '', kind = ''] = name.split('-');
  const truth = { width, height, data: Float32Array.from(mask, (value) => value / 255) };
  return { name, set, class: kind, picture: { width, height, data }, truth };
}

/** What the engine says of one picture; what is refused counts with the empty cut-out. */
export async function judge(one: JudgeCase, matting: Matting = ownMatting, marks?: Marks): Promise<JudgeRow> {
  return (await judgeCover(one, matting, marks)).row;
}

async function judgeCover(one: JudgeCase, matting: Matting, marks?: Marks): Promise<{ row: JudgeRow; cover: Plane }> {
  const { picture, truth } = one;
  forgetPeakMemory();
  const before = process.cpuUsage();
  const alpha = await matting
    .find(picture, async () => {}, marks)
    .catch((error: unknown) => {
      if (error instanceof UnclearProduct) return undefined;
      throw error;
    });
  const { user, system } = process.cpuUsage(before);
  const peakBytes = peakMemory();
  const cover = alpha ?? makePlane(truth);
  const figures = compare(cover.data, truth.data);
  const wasRefused = alpha === undefined;
  const isGlass = one.class === 'glass';
  const row = {
    name: one.name,
    set: one.set,
    class: one.class,
    wasRefused,
    ...figures,
    isGood: !wasRefused && (isGlass ? figures.error <= 0.03 : figures.iou >= 0.95),
    isWrong: !wasRefused && (isGlass ? figures.error > 0.12 : figures.iou < 0.8),
    cpuSeconds: (user + system) / 1e6,
    peakBytes,
  };
  return { row, cover };
}

export type MarkedRow = {
  /** Without marks. */
  row: JudgeRow;
  box: number;
  oneDot: number;
  twoDots: number;
};

/** IoU without help, with a box around the thing, and with one and two dots, each where it is most wrong. */
export async function judgeMarked(one: JudgeCase): Promise<MarkedRow> {
  const alone = await judgeCover(one, ownMatting);
  const box = await judgeCover(one, ownMatting, { box: boxAround(one.truth) });
  const first = addDot({}, alone.cover, one.truth);
  const oneDot = await judgeCover(one, ownMatting, first);
  const twoDots = await judgeCover(one, ownMatting, addDot(first, oneDot.cover, one.truth));
  return { row: alone.row, box: box.row.iou, oneDot: oneDot.row.iou, twoDots: twoDots.row.iou };
}

function boxAround(truth: Plane): NonNullable<Marks['box']> {
  const { width, height } = truth;
  const box = findBox({ width, height, data: Uint8Array.from(truth.data, (cover) => (cover >= 0.5 ? 1 : 0)) }, 2);
  if (!box) throw new Error('an empty mask');
  const { left, top } = box;
  return [left / width, top / height, (left + box.width) / width, (top + box.height) / height];
}

const DOT_RADIUS = 0.02; // of the longer side: a finger on a phone

/** In the middle of the largest thing that is wrong: as far as can be from all that is right. */
function addDot(marks: Marks, cover: Plane, { width, height, data: truth }: Plane): Marks {
  const wrong = Uint8Array.from(truth, (should, i) => (should >= 0.5 === cover.data[i]! >= 0.5 ? 0 : 1));
  const depth = distanceInside({ width, height, data: wrong }).data;
  const at = depth.reduce((best, value, i) => (value > depth[best]! ? i : best), 0);
  const radius = Math.min(DOT_RADIUS, Math.max(2, depth[at]!) / Math.max(width, height));
  const dot: [number, number, number] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height, radius];
  const side = truth[at]! >= 0.5 ? 'keep' : 'drop';
  return { ...marks, [side]: [...(marks[side] ?? []), dot] };
}

function compare(alpha: Float32Array, truth: Float32Array): { iou: number; error: number } {
  let [both, either, error] = [0, 0, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    const is = alpha[i]! >= 0.5;
    const should = truth[i]! >= 0.5;
    if (is && should) both += 1;
    if (is || should) either += 1;
    error += Math.abs(alpha[i]! - truth[i]!);
  }
  return { iou: both / Math.max(1, either), error: error / alpha.length };
}

/** The sample products, whose long side is brought to 1024. */
async function readProduct(name: string): Promise<JudgeCase> {
  const { picture, alpha } = await readSample(name, 1024);
  return {
    name,
    set: 'samples',
    class: name === 'wineglass' ? 'glass' : 'samples',
    picture,
    truth: alpha,
  };
}

/** Every judged picture, alone and with marks. */
export async function judgeAll(): Promise<MarkedRow[]> {
  const rows: MarkedRow[] = [];
  for (const name of await listCases()) rows.push(await judgeMarked(await readCase(name)));
  return rows;
}

/** The sample products, by their names. */
export async function judgeSamples(names: readonly string[] = PRODUCTS): Promise<JudgeRow[]> {
  const rows: JudgeRow[] = [];
  for (const name of names) rows.push(await judge(await readProduct(name)));
  return rows;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export type ClassFigures = {
  count: number;
  iou: number;
  error: number;
  refused: number;
  wrong: number;
  good: number;
  cpuSeconds: number;
  peakBytes: number;
};

/** IoU and error are means over what was shown; refused, wrong and good are shares of all. */
export function summarise(rows: readonly JudgeRow[]): ClassFigures {
  const shown = rows.filter((row) => !row.wasRefused);
  const share = (test: (row: JudgeRow) => boolean) => rows.filter(test).length / Math.max(1, rows.length);
  return {
    count: rows.length,
    iou: mean(shown.map((row) => row.iou)),
    error: mean(shown.map((row) => row.error)),
    refused: share((row) => row.wasRefused),
    wrong: share((row) => row.isWrong),
    good: share((row) => row.isGood),
    cpuSeconds: mean(rows.map((row) => row.cpuSeconds)),
    peakBytes: Math.max(0, ...rows.map((row) => row.peakBytes)),
  };
}

export function printFigures(rows: readonly JudgeRow[]): void {
  console.log('cut-outs: per class, tune-* | judge-*');
  const classes = [...new Set(rows.map((row) => row.class))].toSorted();
  const figuresOf = (set: string, kind?: string) =>
    summarise(rows.filter((row) => row.set === set && (kind === undefined || row.class === kind)));
  const line = (kind?: string) => {
    const [tune, held] = [figuresOf('tune', kind), figuresOf('judge', kind)];
    const both = (take: (figures: ClassFigures) => string) => `${take(tune)} | ${take(held)}`;
    return {
      class: kind ?? 'all',
      IoU: both(({ iou }) => iou.toFixed(3)),
      'mean error': both(({ error }) => error.toFixed(3)),
      'refused %': both(({ refused }) => (100 * refused).toFixed(0)),
      'wrong but shown %': both(({ wrong }) => (100 * wrong).toFixed(1)),
      'good %': both(({ good }) => (100 * good).toFixed(0)),
      'cpu s': both(({ cpuSeconds }) => cpuSeconds.toFixed(2)),
      'peak MB': both(({ peakBytes }) => (peakBytes / 1e6).toFixed(0)),
    };
  };
  console.table([...classes.map((kind) => line(kind)), line()]);
  const refusedSeconds = mean(rows.filter((row) => row.wasRefused).map((row) => row.cpuSeconds));
  const shownSeconds = mean(rows.filter((row) => !row.wasRefused).map((row) => row.cpuSeconds));
  console.log(`processor seconds: refused ${refusedSeconds.toFixed(2)}, shown ${shownSeconds.toFixed(2)}`);
}

export function printSamples(rows: readonly JudgeRow[]): void {
  console.table(
    rows.map(({ name, wasRefused, iou, error }) => ({
      name,
      wasRefused,
      iou: iou.toFixed(3),
      error: error.toFixed(4),
    })),
  );
}

/** What was reached, rounded down; shares of all pictures of the set. */
const FLOORS: Readonly<Record<string, { wrong: number; good: number; refused: number; iou: number }>> = {
  tune: { wrong: 0.05, good: 0.6, refused: 0.18, iou: 0.91 },
  judge: { wrong: 0.07, good: 0.55, refused: 0.18, iou: 0.91 },
};

/** Sentences about every set that falls short; empty when all is well. */
export function findShortcomings(rows: readonly JudgeRow[]): string[] {
  return Object.entries(FLOORS).flatMap(([set, floor]) => {
    const { wrong, good, refused, iou } = summarise(rows.filter((row) => row.set === set));
    const faults: [boolean, string][] = [
      [wrong > floor.wrong, `${wrong.toFixed(3)} wrong but shown, more than ${floor.wrong}`],
      [good < floor.good, `${good.toFixed(3)} good, less than ${floor.good}`],
      [refused > floor.refused, `${refused.toFixed(3)} refused, more than ${floor.refused}`],
      [iou < floor.iou, `overlap ${iou.toFixed(3)}, less than ${floor.iou}`],
    ];
    return faults.filter(([isFault]) => isFault).map(([, fault]) => `${set}: ${fault}`);
  });
}

/**
 * What marks reached on the held-out pictures, rounded down: mean IoU, and the share that stays below .8 with two dots.
 */
const MARKED_FLOORS = { box: 0.9, oneDot: 0.9, twoDots: 0.91, below: 0.13 };

/** Sentences about the marked columns of judge-* that fall short; empty when all is well. */
export function findMarkedShortcomings(rows: readonly MarkedRow[]): string[] {
  const judged = rows.filter(({ row }) => row.set === 'judge');
  const faults = (['box', 'oneDot', 'twoDots'] as const)
    .map((marks) => ({ marks, iou: mean(judged.map((row) => row[marks])) }))
    .filter(({ marks, iou }) => iou < MARKED_FLOORS[marks])
    .map(({ marks, iou }) => `${marks}: overlap ${iou.toFixed(3)}, less than ${MARKED_FLOORS[marks]}`);
  const below = mean(judged.map(({ twoDots }) => (twoDots < 0.8 ? 1 : 0)));
  if (below > MARKED_FLOORS.below)
    faults.push(`${below.toFixed(3)} below .8 with two dots, more than ${MARKED_FLOORS.below}`);
  return faults;
}

/** The marked columns of one set: mean IoU (refused: 0), and the share that stays below .8 with two dots. */
export function printMarked(rows: readonly MarkedRow[]): void {
  console.log('cut-outs with marks: mean IoU, tune-* | judge-*');
  const kinds = [...new Set(rows.map(({ row }) => row.class)), undefined];
  console.table(
    kinds.map((kind) => {
      const of = (take: (row: MarkedRow) => number, digits = 3) =>
        ['tune', 'judge']
          .map((set) => rows.filter(({ row }) => row.set === set && (kind === undefined || row.class === kind)))
          .map((own) => mean(own.map(take)).toFixed(digits))
          .join(' | ');
      return {
        class: kind ?? 'all',
        alone: of(({ row }) => row.iou),
        'with a box': of(({ box }) => box),
        'one dot': of(({ oneDot }) => oneDot),
        'two dots': of(({ twoDots }) => twoDots),
        'below .8 with two dots': of(({ twoDots }) => (twoDots < 0.8 ? 1 : 0), 2),
      };
    }),
  );
}
