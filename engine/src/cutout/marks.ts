/** The user's marks on a picture: a box around the product, and dots that belong to it or do not. */
import { z } from 'zod';
import type { Box, Size } from '../pixels/plane.ts';

/** `[x, y, radius]`: shares of the picture's width and height, and of its long side. */
export type Dot = readonly [number, number, number];

const MAX_DOTS = 2000;
const share = z.number().min(0).max(1);
const dots = z
  .array(z.tuple([share, share, share.gt(0)]))
  .min(1)
  .max(MAX_DOTS);
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

/** `box`: left, top, right, bottom as shares. `drop` overrides `keep`, `box` overrides both. At least one is set. */
export type Marks = z.infer<typeof shape>;

/** Parses marks; undefined if they are invalid. */
export function readMarks(value: unknown): Marks | undefined {
  return shape.safeParse(value).data;
}

/** Draws the network's second input for a picture resized to `size`: planes of 0 and 1 (filled box, keep, drop). */
export function drawMarks({ box, keep = [], drop = [] }: Marks, picture: Size, size: Size): Float32Array {
  const { width, height } = size;
  const area = width * height;
  const planes = new Float32Array(3 * area);
  if (box) {
    const [left, top, right, bottom] = box;
    for (let y = Math.floor(top * height); y < Math.min(height, Math.ceil(bottom * height)); y += 1) {
      planes.fill(1, y * width + Math.floor(left * width), y * width + Math.min(width, Math.ceil(right * width)));
    }
  }
  const dabs = planes.subarray(area);
  for (const dot of keep) drawDot(dabs, dot, picture, size);
  for (const dot of drop) drawDot(dabs.subarray(area), dot, picture, size);
  return planes;
}

/** Left, top, right, bottom as shares of the picture. */
export type ShareBox = [number, number, number, number];

/** Converts a box in pixels to shares of a picture of this size. */
export function toShares({ left, top, width, height }: Box, size: Size): ShareBox {
  return [left / size.width, top / size.height, (left + width) / size.width, (top + height) / size.height];
}

/** True if the centre of pixel `i` lies inside a box of shares. */
export function isInBox({ width, height }: Size, box: NonNullable<Marks['box']>, i: number): boolean {
  const x = ((i % width) + 0.5) / width;
  const y = (Math.floor(i / width) + 0.5) / height;
  return x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3];
}

/** The index of the pixel at these shares of a picture. */
export function pixelAt({ width, height }: Size, x: number, y: number): number {
  return Math.min(height - 1, Math.floor(y * height)) * width + Math.min(width - 1, Math.floor(x * width));
}

const MIN_RADIUS = 2; // pixels of the network: it hardly notices smaller dabs
const WIDER = 1.6; // times its radius: the network follows wider dabs better, and `enforceMarks` applies the exact ones

function drawDot(plane: Float32Array, [x, y, radius]: Dot, picture: Size, { width, height }: Size): void {
  const reach = WIDER * radius * Math.max(picture.width, picture.height);
  const [middle, line] = [x * width, y * height];
  const across = Math.max(MIN_RADIUS, (reach * width) / picture.width);
  const down = Math.max(MIN_RADIUS, (reach * height) / picture.height);
  for (let row = Math.max(0, Math.floor(line - down)); row <= Math.min(height - 1, line + down); row += 1) {
    const part = (row + 0.5 - line) / down;
    const half = across * Math.sqrt(Math.max(0, 1 - part * part));
    const from = Math.max(0, Math.round(middle - half));
    plane.fill(1, row * width + from, row * width + Math.max(from, Math.min(width, Math.round(middle + half))));
  }
}
