import { availableParallelism, cpus, freemem, loadavg, release, totalmem, type } from 'node:os';
import type { Measured } from './engine-skills.ts';
import type { Ceiling } from './ceilings.ts';
import type { Round } from './http-load.ts';

const startedAt = performance.now();

/** Prints progress to stderr, apart from the table. */
export const logProgress = (text: string) =>
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${text}`);

/** One printed row of the table. */
export type Row = {
  what: string;
  /** Share of its ceiling, with the goal; absent without a ceiling. */
  share?: string;
  how: string;
  perSecond: string;
  p50: string;
  p99: string;
};

/** Returns rates per second and times in milliseconds: median, minimum and maximum of the rounds. */
export function rowOfRounds(what: string, how: string, rounds: Round[]): Row {
  return {
    what,
    how: `${how}, ${rounds.length} rounds`,
    perSecond: formatSpread(rounds.map((round) => round.perSecond)),
    p50: formatSpread(rounds.map((round) => round.p50)),
    p99: formatSpread(rounds.map((round) => round.p99)),
  };
}

/** Returns a row whose figure is a text with its goal, and optional times. */
export function rowOfFigure(what: string, figure: string, how: string, times?: Pick<Round, 'p50' | 'p99'>): Row {
  const write = (ms: number | undefined) => (ms === undefined ? '' : short(ms));
  return { what, share: figure, how, perSecond: '', p50: write(times?.p50), p99: write(times?.p99) };
}

/** A round of the product, and the ceiling's round right before it. */
export type Pair = { reached: Round; most: Round };

/** Returns a row with shares of the ceiling: median, minimum and maximum of the pairs; `goal` in percent. */
export function rowOfShare(what: string, how: string, pairs: Pair[], ceiling: Ceiling, goal: number): Row {
  const shares = pairs.map(({ reached, most }) => (100 * reached.perSecond) / most.perSecond);
  const [least, ...rest] = shares.toSorted((a, b) => a - b).map((share) => share.toFixed(0));
  const percent = medianOf(shares.toSorted((a, b) => a - b)).toFixed(0);
  const share = `${percent} % (${least}–${rest.at(-1)}) of ${ceiling.name} (goal ${goal} %)`;
  const reached = pairs.map((pair) => pair.reached);
  return { ...rowOfRounds(what, how, reached), share };
}

/** Returns an engine skill's row: median, minimum and maximum of its warm runs. */
export function rowOfSkill({ what, runs, milliseconds, minMs, maxMs, peakRssBytes }: Measured): Row {
  return {
    what: `Engine: ${what}`,
    how: `${runs} warm runs, peak ${Math.round(peakRssBytes / 1e6)} MB`,
    perSecond: short(1000 / milliseconds),
    p50: `${short(milliseconds)} (${short(minMs)}–${short(maxMs)})`,
    p99: '',
  };
}

const medianOf = (sorted: number[]) => sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;

function formatSpread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${short(medianOf(sorted))} (${short(sorted[0] ?? NaN)}–${short(sorted.at(-1) ?? NaN)})`;
}

const short = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

type MachineFacts = { facts: string[]; loadBefore: number };

/** Reads the machine's facts. Call before the first round, for the load of other programs. */
export function readMachine(): MachineFacts {
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  const loadBefore = loadavg()[0] ?? NaN;
  const facts = [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `${gigabytes(totalmem())} GB memory, ${gigabytes(freemem())} GB free`,
    `Node ${process.versions.node}`,
    `${type()} ${release()}`,
  ];
  return { facts, loadBefore };
}

/** Renders the table as Markdown, below one line about the machine. */
export function renderTable(rows: Row[], { facts, loadBefore }: MachineFacts, seconds: number): string {
  const load = `load ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? NaN).toFixed(1)} after`;
  const lines = rows.map(({ what, share = '', perSecond, p50, p99, how }) => [what, share, perSecond, p50, p99, how]);
  const cells = [['What', 'Share', 'Per second', 'p50 ms', 'p99 ms', 'How'], ...lines];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  const draw = (line: string[]) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = draw(widths.map((width) => '-'.repeat(width)));
  const [head = [], ...rest] = cells;
  const machine = `${[...facts, load].join('; ')}; the run took ${Math.round(seconds)} s.`;
  return [machine, '', draw(head), rule, ...rest.map(draw)].join('\n');
}
