/** What a person showed on the picture: a box around the product, dots of what belongs to it and what does not. */
import { z } from 'zod';
import type { Size } from '../pixels/plane.ts';

/** `[x, y, radius]`: shares of the picture's width and height; the radius of its longer side. */
export type Dot = readonly [number, number, number];

const MOST_DOTS = 2000;
const share = z.number().min(0).max(1);
const dots = z
  .array(z.tuple([share, share, share.gt(0)]))
  .min(1)
  .max(MOST_DOTS);
const shape = z
  .strictObject({
    box: z
      .tuple([share, share, share, share])
      .refine(([left, top, right, bottom]) => left < right && top < bottom)
      .optional(),
    keep: dots.optional(),
    drop: dots.optional(),
  })
  .refine(({ box, keep, drop }) => box !== undefined || keep !== undefined || drop !== undefined);

/** `box`: left, top, right, bottom as shares. `drop` wins over `keep`, `box` over both; one of them is there. */
export type Marks = z.infer<typeof shape>;

/** Undefined when they cannot be understood. */
export function readMarks(value: unknown): Marks | undefined {
  return shape.safeParse(value).data;
}

/**
 * The network's second input: three planes of `side`² (box filled, keep, drop) of 0 and 1, for the whole picture
 * squeezed.
 */
export function drawMarks({ box, keep = [], drop = [] }: Marks, picture: Size, side: number): Float32Array {
  const area = side * side;
  const planes = new Float32Array(3 * area);
  if (box) {
    const [left, top, right, bottom] = box.map((value) => value * side) as [number, number, number, number];
    for (let y = Math.floor(top); y < Math.min(side, Math.ceil(bottom)); y += 1) {
      planes.fill(1, y * side + Math.floor(left), y * side + Math.min(side, Math.ceil(right)));
    }
  }
  const dabs = planes.subarray(area);
  for (const dot of keep) drawDot(dabs, dot, picture, side);
  for (const dot of drop) drawDot(dabs.subarray(area), dot, picture, side);
  return planes;
}

const LEAST_RADIUS = 2; // pixels of the network: a smaller dab would hardly be seen by it

function drawDot(plane: Float32Array, [x, y, radius]: Dot, { width, height }: Size, side: number): void {
  const longer = Math.max(width, height);
  const across = Math.max(LEAST_RADIUS, (radius * longer * side) / width);
  const down = Math.max(LEAST_RADIUS, (radius * longer * side) / height);
  for (let row = Math.max(0, Math.floor(y * side - down)); row <= Math.min(side - 1, y * side + down); row += 1) {
    const part = (row + 0.5 - y * side) / down;
    const half = across * Math.sqrt(Math.max(0, 1 - part * part));
    const from = Math.max(0, Math.round(x * side - half));
    plane.fill(1, row * side + from, row * side + Math.max(from, Math.min(side, Math.round(x * side + half))));
  }
}
