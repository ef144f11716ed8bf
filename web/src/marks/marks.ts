import type { Marks } from '@plinth/contract/marks';
import { clamp } from '../platform/clamp.ts';
import type { Size } from '../platform/pan-zoom.ts';

/** The user's marks on a photo: what to keep, what to remove, and where the product is. */

/** `x` and `y` in shares of the picture's width and height, the radius in shares of its longer side. */
export type Dot = readonly [x: number, y: number, radius: number];
/** Left, top, right, bottom in shares of the picture's width and height. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];
export type Brush = 'keep' | 'drop';
export type Stroke = { kind: Brush; dots: readonly Dot[] };
export type Step = Stroke | { kind: 'box'; box: Box };

/**
 * The API accepts 2 000 dots per list and 64 KiB in all. A dot is at most 23 bytes (`[0.1234,0.1234,0.1234],`), so two
 * lists of this length stay below both.
 */
export const MAX_DOTS = 1_390;

/**
 * Returns the marks that result from the earlier ones and a list of steps, ready to be sent. The last stroke counts: a
 * dot whose centre the other brush painted over is removed.
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
    dots[other] = dots[other].filter((dot) => !step.dots.some((over) => isNear(dot, over, size, over[2])));
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

export function boxOf(steps: readonly Step[]): Box | null {
  return steps.findLast((step) => step.kind === 'box')?.box ?? null;
}

export function isInStroke({ dots }: Stroke, [x, y]: readonly [number, number], size: Size): boolean {
  return dots.some((dot) => isNear(dot, [x, y, 0], size, dot[2]));
}

/** Returns a stroke as lines with round ends, in pixels of the picture. Overlapping dots share a line. */
export function linesOf({ dots }: Stroke, { width, height }: Size): { path: string; width: number }[] {
  const lines: { path: string; width: number }[] = [];
  let before: Dot | undefined;
  for (const dot of dots) {
    const [x, y, radius] = dot;
    const at = `${x * width} ${y * height}`;
    const line = lines.at(-1);
    if (line === undefined || before?.[2] !== radius)
      lines.push({ path: `M${at}h0`, width: 2 * radius * Math.max(width, height) });
    else line.path += isNear(before, dot, { width, height }, radius) ? `L${at}` : `M${at}h0`;
    before = dot;
  }
  return lines;
}

/** Returns at most `max` dots that still cover the same area: dots whose centre the previous one covers go first. */
export function thinDots(dots: readonly Dot[], size: Size, max = MAX_DOTS): readonly Dot[] {
  if (dots.length <= max) return dots;
  for (let share = 0.35; share < 3; share *= 1.3) {
    const left = keepApart(dots, size, share);
    if (left.length <= max) return left;
  }
  const every = dots.length / max;
  return Array.from({ length: max }, (_none, at) => dots[Math.floor(at * every)]!);
}

function keepApart(dots: readonly Dot[], size: Size, share: number): Dot[] {
  let before: Dot | undefined;
  return dots.filter((dot) => {
    const isCovered = before && before[2] > dot[2] * 0.7 && isNear(before, dot, size, dot[2] * share);
    if (!isCovered) before = dot;
    return !isCovered;
  });
}

/** True if they are closer than `reach`, in shares of the longer side. `Math.hypot` is many times slower. */
function isNear(one: Dot, other: Dot, { width, height }: Size, reach: number): boolean {
  const longer = Math.max(width, height);
  const right = ((one[0] - other[0]) * width) / longer;
  const down = ((one[1] - other[1]) * height) / longer;
  return right * right + down * down < reach * reach;
}

const round = (value: number) => Math.round(clamp(value, 0, 1) * 10_000) / 10_000;

function roundDot([x, y, radius]: Dot): [number, number, number] {
  return [round(x), round(y), Math.max(0.0001, round(radius))];
}

function roundBox([left, top, right, bottom]: Box): [number, number, number, number] {
  return [round(left), round(top), round(right), round(bottom)];
}
