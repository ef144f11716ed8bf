/** Small pictures and shapes of known geometry, drawn pixel by pixel. */
import type { Mask, Plane, Rgb, Size } from '../src/pixels/plane.ts';

/** 1 where `isInside` is true. */
export function drawMask({ width, height }: Size, isInside: (x: number, y: number) => boolean): Mask {
  return { width, height, data: Uint8Array.from(drawPlane({ width, height }, (x, y) => Number(isInside(x, y))).data) };
}

export function drawPlane({ width, height }: Size, valueAt: (x: number, y: number) => number): Plane {
  const data = Float32Array.from({ length: width * height }, (_, i) => valueAt(i % width, Math.floor(i / width)));
  return { width, height, data };
}

/** Red, green and blue, 0..255. */
export type Colour = readonly [number, number, number];

export function drawRgb({ width, height }: Size, colourAt: (x: number, y: number) => Colour): Rgb {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) data.set(colourAt(i % width, Math.floor(i / width)), 3 * i);
  return { width, height, data };
}

/** Copies the picture with another colour where the mask is 1. */
export function fillWith(picture: Rgb, mask: Mask, colour: Colour): Rgb {
  const data = picture.data.slice();
  for (let i = 0; i < mask.data.length; i += 1) if (mask.data[i]) data.set(colour, 3 * i);
  return { ...picture, data };
}

/** Prints a mask as lines of `#` and `.`, for failing tests. */
export function showMask({ data, width, height }: Mask): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from(data.subarray(y * width, (y + 1) * width), (value) => (value ? '#' : '.')).join(''),
  );
}

/** A mask from lines of text: `#` is 1. */
export function readMask(lines: readonly string[]): Mask {
  const width = lines[0]?.length ?? 0;
  return drawMask({ width, height: lines.length }, (x, y) => lines[y]?.[x] === '#');
}
