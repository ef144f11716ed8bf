/**
 * Evaluates cut-outs on pictures with ground-truth masks: photographs (`real`), and drawings with exact masks.
 * Thresholds may be chosen on tune sets, never on judge sets.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Marks } from '../src/cutout/marks.ts';
import { UnclearProduct, type Matting } from '../src/cutout/matting.ts';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { distanceInside, findBox, threshold } from '../src/pixels/mask.ts';
import { makePlane, type Plane, type Rgb } from '../src/pixels/plane.ts';
import { PRODUCTS, readSample } from './composites.ts';

const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));

export const SETS = ['real-judge', 'real-tune', 'judge', 'tune', 'samples'] as const;
export type Set = (typeof SETS)[number];

/** `truth`: ground-truth alpha; undefined if the engine should ask the user. */
export type JudgeCase = { name: string; set: Set; isGlass: boolean; picture: Rgb; truth: Plane | undefined };

export type JudgeRow = {
  name: string;
  set: Set;
  wasAsked: boolean;
  /** IoU of the result, shown or not, with the ground truth at alpha .5; 0 without ground truth. */
  iou: number;
  isGood: boolean;
  isWrong: boolean;
  seconds: number;
};

/** Lists a set's pictures: products, and shelves about which the engine should ask. Odd photographs are for judging. */
export async function listCases(set: Set): Promise<string[]> {
  if (set === 'samples') return PRODUCTS;
  const isReal = set.startsWith('real');
  const files = await readdir(`${PICTURES}${isReal ? 'real' : 'judge'}`);
  const names = files.filter((file) => file.endsWith('.jpg')).map((file) => file.slice(0, -4));
  if (!isReal) return names.filter((name) => name.startsWith(`${set}-`));
  const isJudge = (name: string) => Number(name.slice(-1)) % 2 === 1;
  return names.filter((name) => /^(thing|shelf)-/.test(name) && isJudge(name) === (set === 'real-judge'));
}

export async function readCase(set: Set, name: string): Promise<JudgeCase> {
  if (set === 'samples') {
    const { picture, alpha } = await readSample(name, 1024);
    return { name, set, isGlass: name === 'wineglass', picture, truth: alpha };
  }
  const path = `${PICTURES}${set.startsWith('real') ? 'real' : 'judge'}/${name}`;
  const { data, info } = await sharp(`${path}.jpg`).rotate().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const picture = { width, height, data };
  if (name.startsWith('shelf')) return { name, set, isGlass: false, picture, truth: undefined };
  const mask = await sharp(`${path}.mask.png`).greyscale().raw().toBuffer();
  const truth = { width, height, data: Float32Array.from(mask, (value) => value / 255) };
  return { name, set, isGlass: name.includes('glass'), picture, truth };
}

/** Evaluates one picture; a result about which the engine asks counts as asked. */
export async function judge(one: JudgeCase, matting: Matting = ownMatting, marks?: Marks): Promise<JudgeRow> {
  return (await judgeAlpha(one, matting, marks)).row;
}

async function judgeAlpha(one: JudgeCase, matting: Matting, marks?: Marks): Promise<{ row: JudgeRow; alpha: Plane }> {
  const { picture, truth, isGlass, name, set } = one;
  const started = performance.now();
  const found = await matting
    .find(picture, async () => {}, marks)
    .catch((error: unknown) => {
      if (error instanceof UnclearProduct) return undefined;
      throw error;
    });
  const seconds = (performance.now() - started) / 1000;
  const wasAsked = found === undefined;
  const alpha = found ?? makePlane(picture);
  const { iou, error } = truth ? compare(alpha.data, truth.data) : { iou: 0, error: 1 };
  const isGood = truth ? !wasAsked && (isGlass ? error <= 0.03 : iou >= 0.95) : wasAsked;
  const isWrong = !wasAsked && (isGlass ? error > 0.12 : iou < 0.8);
  return { row: { name, set, wasAsked, iou, isGood, isWrong, seconds }, alpha };
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

export type MarkedRow = { row: JudgeRow; box: number; oneDot: number; twoDots: number };

/** IoU without marks, with a box around the product, and with one or two dots on the largest errors. */
export async function judgeMarked(one: JudgeCase & { truth: Plane }): Promise<MarkedRow> {
  const { row } = await judgeAlpha(one, ownMatting);
  const marks: Marks = { box: boxAround(one.truth) };
  const box = await judgeAlpha(one, ownMatting, marks);
  const first = addDot(marks, box.alpha, one.truth);
  const oneDot = await judgeAlpha(one, ownMatting, first);
  const twoDots = await judgeAlpha(one, ownMatting, addDot(first, oneDot.alpha, one.truth));
  return { row, box: box.row.iou, oneDot: oneDot.row.iou, twoDots: twoDots.row.iou };
}

function boxAround(truth: Plane): NonNullable<Marks['box']> {
  const { width, height } = truth;
  const box = findBox(threshold(truth, 0.5), 2);
  if (!box) throw new Error('an empty mask');
  const { left, top } = box;
  return [left / width, top / height, (left + box.width) / width, (top + box.height) / height];
}

const DOT_RADIUS = 0.02; // of the long side: a finger on a phone

/** Adds a dot at the centre of the largest wrong region. */
function addDot(marks: Marks, alpha: Plane, { width, height, data: truth }: Plane): Marks {
  const wrong = Uint8Array.from(truth, (should, i) => (should >= 0.5 === alpha.data[i]! >= 0.5 ? 0 : 1));
  const depth = distanceInside({ width, height, data: wrong }).data;
  const at = depth.reduce((best, value, i) => (value > depth[best]! ? i : best), 0);
  const radius = Math.min(DOT_RADIUS, Math.max(2, depth[at]!) / Math.max(width, height));
  const dot: [number, number, number] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height, radius];
  const side = truth[at]! >= 0.5 ? 'keep' : 'drop';
  return { ...marks, [side]: [...(marks[side] ?? []), dot] };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export type SetFigures = {
  count: number;
  /** Mean over shown results. */
  iou: number;
  /** Shares of all pictures. */
  good: number;
  wrong: number;
  asked: number;
};

export function summarise(rows: readonly JudgeRow[]): SetFigures {
  const share = (test: (row: JudgeRow) => boolean) => rows.filter(test).length / Math.max(1, rows.length);
  return {
    count: rows.length,
    iou: mean(rows.filter((row) => !row.wasAsked && row.iou > 0).map((row) => row.iou)),
    good: share((row) => row.isGood),
    wrong: share((row) => row.isWrong),
    asked: share((row) => row.wasAsked),
  };
}

/** Figures reached so far, rounded down. */
const FLOORS: Readonly<Partial<Record<Set, Omit<SetFigures, 'count' | 'asked'>>>> = {
  'real-judge': { iou: 0.97, good: 0.9, wrong: 0 },
  'real-tune': { iou: 0.97, good: 0.9, wrong: 0.05 },
  judge: { iou: 0.9, good: 0.45, wrong: 0.14 },
  tune: { iou: 0.89, good: 0.4, wrong: 0.14 },
  samples: { iou: 0.85, good: 0.55, wrong: 0 },
};

/** Evaluates every set and prints a table; returns a sentence per missed floor. */
export async function judgeCutouts(): Promise<string[]> {
  const faults: string[] = [];
  const table: Record<string, string | number>[] = [];
  for (const set of SETS) {
    const rows: JudgeRow[] = [];
    const marked: MarkedRow[] = [];
    for (const name of await listCases(set)) {
      const one = await readCase(set, name);
      const { truth } = one;
      if (truth) marked.push(await judgeMarked({ ...one, truth }));
      rows.push(truth ? marked.at(-1)!.row : await judge(one));
    }
    const figures = summarise(rows);
    const withMarks = (take: (row: MarkedRow) => number) => mean(marked.map(take)).toFixed(3);
    table.push({
      set,
      n: figures.count,
      IoU: figures.iou.toFixed(3),
      'good %': (100 * figures.good).toFixed(0),
      'wrong but shown %': (100 * figures.wrong).toFixed(1),
      'asked %': (100 * figures.asked).toFixed(0),
      'with a box': withMarks(({ box }) => box),
      'and a dot': withMarks(({ oneDot }) => oneDot),
      'and two': withMarks(({ twoDots }) => twoDots),
      's a picture': mean(rows.map(({ seconds }) => seconds)).toFixed(2),
    });
    const floor = FLOORS[set];
    if (floor === undefined) continue;
    if (figures.wrong > floor.wrong) faults.push(`${set}: ${figures.wrong.toFixed(3)} wrong but shown`);
    if (figures.good < floor.good) faults.push(`${set}: ${figures.good.toFixed(3)} good`);
    if (figures.iou < floor.iou) faults.push(`${set}: IoU ${figures.iou.toFixed(3)}`);
  }
  console.log('cut-outs: photographs first (real), then drawings; nothing is chosen on judge sets');
  console.table(table);
  return faults;
}
