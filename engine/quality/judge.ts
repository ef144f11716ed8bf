/**
 * Evaluates cut-outs on pictures with ground-truth masks: photographs (`real`), and drawings with exact masks.
 * Thresholds may be chosen on tune sets, never on judge sets.
 */
import { readdir } from 'node:fs/promises';
import { toShares, type Marks } from '../src/cutout/marks.ts';
import { UnclearProduct, type Matting } from '../src/cutout/matting.ts';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { distanceInside, findBox, threshold } from '../src/pixels/mask.ts';
import { makePlane, type Plane, type Rgb } from '../src/pixels/plane.ts';
import { PRODUCTS, readPhoto, readSample } from './composites.ts';

const SETS = ['real-judge', 'real-tune', 'judge', 'tune', 'samples'] as const;
type Set = (typeof SETS)[number];

const SIDE = 1024; // pixels of the long side at most

/** `truth`: ground-truth alpha; undefined if the engine should ask the user. */
type JudgeCase = { isGlass: boolean; picture: Rgb; truth: Plane | undefined };

/** Lists a set's pictures: products, and shelves about which the engine should ask. Odd photographs are for judging. */
async function listCases(set: Set): Promise<string[]> {
  if (set === 'samples') return PRODUCTS;
  const isReal = set.startsWith('real');
  const files = await readdir(new URL(`pictures/${isReal ? 'real' : 'judge'}`, import.meta.url));
  const names = files.filter((file) => file.endsWith('.jpg')).map((file) => file.slice(0, -4));
  if (!isReal) return names.filter((name) => name.startsWith(`${set}-`));
  const isJudge = (name: string) => Number(name.slice(-1)) % 2 === 1;
  return names.filter((name) => /^(thing|shelf)-/.test(name) && isJudge(name) === (set === 'real-judge'));
}

export async function readCase(name: string): Promise<JudgeCase> {
  const isGlass = name.includes('glass');
  if (name.startsWith('shelf')) return { isGlass, picture: await readPhoto(name, SIDE), truth: undefined };
  const { picture, alpha } = await readSample(name, SIDE);
  return { isGlass, picture, truth: alpha };
}

export type JudgeRow = Awaited<ReturnType<typeof judge>>['row'];

/** Evaluates one picture; a result about which the engine asks counts as asked, and its alpha is empty. */
export async function judge({ picture, truth, isGlass }: JudgeCase, matting: Matting = ownMatting, marks?: Marks) {
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
  return { row: { wasAsked, iou, isGood, isWrong, seconds }, alpha };
}

/** IoU at alpha .5, and mean error of alpha. */
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

/** IoU with a box around the product, and with one or two dots on the largest errors. */
async function judgeMarked(one: JudgeCase & { truth: Plane }) {
  const around = findBox(threshold(one.truth, 0.5), 2);
  if (!around) throw new Error('an empty mask');
  const marks: Marks = { box: toShares(around, one.truth) };
  const box = await judge(one, ownMatting, marks);
  const first = addDot(marks, box.alpha, one.truth);
  const oneDot = await judge(one, ownMatting, first);
  const twoDots = await judge(one, ownMatting, addDot(first, oneDot.alpha, one.truth));
  return { box: box.row.iou, oneDot: oneDot.row.iou, twoDots: twoDots.row.iou };
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

/** The mean IoU of shown results, and shares of all pictures. */
export function summarise(rows: readonly JudgeRow[]) {
  const share = (test: (row: JudgeRow) => boolean) => rows.filter(test).length / Math.max(1, rows.length);
  return {
    iou: mean(rows.filter((row) => !row.wasAsked && row.iou > 0).map((row) => row.iou)),
    good: share((row) => row.isGood),
    wrong: share((row) => row.isWrong),
    asked: share((row) => row.wasAsked),
  };
}

/** Figures reached so far, rounded down. */
const FLOORS: Readonly<Record<Set, { iou: number; good: number; wrong: number }>> = {
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
    const marked: Awaited<ReturnType<typeof judgeMarked>>[] = [];
    for (const name of await listCases(set)) {
      const one = await readCase(name);
      const { truth } = one;
      rows.push((await judge(one)).row);
      if (truth) marked.push(await judgeMarked({ ...one, truth }));
    }
    const figures = summarise(rows);
    table.push({
      set,
      n: rows.length,
      IoU: figures.iou.toFixed(3),
      'good %': (100 * figures.good).toFixed(0),
      'wrong but shown %': (100 * figures.wrong).toFixed(1),
      'asked %': (100 * figures.asked).toFixed(0),
      'with a box': mean(marked.map(({ box }) => box)).toFixed(3),
      'and a dot': mean(marked.map(({ oneDot }) => oneDot)).toFixed(3),
      'and two': mean(marked.map(({ twoDots }) => twoDots)).toFixed(3),
      's a picture': mean(rows.map(({ seconds }) => seconds)).toFixed(2),
    });
    const floor = FLOORS[set];
    if (figures.wrong > floor.wrong) faults.push(`${set}: ${figures.wrong.toFixed(3)} wrong but shown`);
    if (figures.good < floor.good) faults.push(`${set}: ${figures.good.toFixed(3)} good`);
    if (figures.iou < floor.iou) faults.push(`${set}: IoU ${figures.iou.toFixed(3)}`);
  }
  console.log('cut-outs: photographs first (real), then drawings; nothing is chosen on judge sets');
  console.table(table);
  return faults;
}
