import type { Marks } from '@plinth/contract/marks';

/** What a person says of a photo: what to keep, what to remove, where the product is. */

export type Size = { width: number; height: number };
/** `x` and `y` in shares of the picture's width and height, the radius in shares of its longer side. */
export type Dot = readonly [x: number, y: number, radius: number];
/** Left, top, right, bottom in shares of the picture's width and height. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];
export type Brush = 'keep' | 'drop';
export type Step = { kind: Brush; dots: readonly Dot[] } | { kind: 'box'; box: Box };

/**
 * The API takes 2 000 dots a list and 64 KiB in all. A dot is at most 23 bytes (`[0.1234,0.1234,0.1234],`), so two
 * lists of this length stay below both.
 */
export const MOST_DOTS = 1_390;

/**
 * The marks that a row of steps comes to, after those that were there before, ready to be sent. What was painted last
 * counts: a dot whose centre was painted over by the other brush is gone.
 */
export function foldSteps(steps: readonly Step[], size: Size, before: Marks = {}): Marks {
  const dots: Record<Brush, Dot[]> = { keep: [...(before.keep ?? [])], drop: [...(before.drop ?? [])] };
  let box: Box | undefined = before.box;
  for (const step of steps) {
    if (step.kind === 'box') {
      box = step.box;
      continue;
    }
    const other = step.kind === 'keep' ? 'drop' : 'keep';
    dots[step.kind].push(...step.dots);
    const painted = new Cells(step.dots, size);
    dots[other] = dots[other].filter((dot) => !painted.some(dot, (over) => distance(dot, over, size) < over[2]));
  }
  const keep = thinDots(dots.keep, size).map(roundDot);
  const drop = thinDots(dots.drop, size).map(roundDot);
  return {
    ...(box !== undefined && { box: roundBox(box) }),
    ...(keep.length > 0 && { keep }),
    ...(drop.length > 0 && { drop }),
  };
}

export function stepsOf({ box, keep, drop }: Marks): Step[] {
  return [
    ...(box === undefined ? [] : [{ kind: 'box', box } as const]),
    ...(keep === undefined ? [] : [{ kind: 'keep', dots: keep } as const]),
    ...(drop === undefined ? [] : [{ kind: 'drop', dots: drop } as const]),
  ];
}

/** At most `most` dots that still cover the same ground: those that lie in the middle of another one go first. */
export function thinDots(dots: readonly Dot[], size: Size, most = MOST_DOTS): readonly Dot[] {
  if (dots.length <= most) return dots;
  for (let share = 0.35; share < 3; share *= 1.3) {
    const left = keepApart(dots, size, share);
    if (left.length <= most) return left;
  }
  const every = dots.length / most;
  return Array.from({ length: most }, (_none, at) => dots[Math.floor(at * every)]!);
}

function keepApart(dots: readonly Dot[], size: Size, share: number): Dot[] {
  const kept = new Cells([], size, largestRadius(dots) * share);
  return dots.filter((dot) => {
    const isCovered = kept.some(dot, (other) => covers(other, dot, size, share));
    if (!isCovered) kept.add(dot);
    return !isCovered;
  });
}

/** Dots by where they lie, so that a question about the near ones need not look at all. */
class Cells {
  private readonly cells = new Map<string, Dot[]>();
  private readonly size: Size;
  private readonly side: number;

  /** `side` of a cell, in shares of the longer side: nothing further away is found. */
  constructor(dots: readonly Dot[], size: Size, side = largestRadius(dots)) {
    this.size = size;
    this.side = side;
    for (const dot of dots) this.add(dot);
  }

  add(dot: Dot): void {
    const [column, row] = this.place(dot);
    const cell = this.cells.get(`${column} ${row}`);
    if (cell === undefined) this.cells.set(`${column} ${row}`, [dot]);
    else cell.push(dot);
  }

  some(dot: Dot, holds: (other: Dot) => boolean): boolean {
    const [column, row] = this.place(dot);
    return AROUND.some(([right, down]) => this.cells.get(`${column + right} ${row + down}`)?.some(holds) === true);
  }

  private place([x, y]: Dot): [column: number, row: number] {
    const { width, height } = this.size;
    const longer = Math.max(width, height);
    return [Math.floor((x * width) / longer / this.side), Math.floor((y * height) / longer / this.side)];
  }
}

const AROUND = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));

const largestRadius = (dots: readonly Dot[]) => dots.reduce((most, [, , radius]) => Math.max(most, radius), 0.0001);

function covers(other: Dot, dot: Dot, size: Size, share: number): boolean {
  return distance(other, dot, size) < dot[2] * share && other[2] > dot[2] * 0.7;
}

function distance(one: Dot, other: Dot, { width, height }: Size): number {
  const longer = Math.max(width, height);
  return Math.hypot(((one[0] - other[0]) * width) / longer, ((one[1] - other[1]) * height) / longer);
}

const round = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

function roundDot([x, y, radius]: Dot): [number, number, number] {
  return [round(x), round(y), Math.max(0.0001, round(radius))];
}

function roundBox([left, top, right, bottom]: Box): [number, number, number, number] {
  return [round(left), round(top), round(right), round(bottom)];
}
