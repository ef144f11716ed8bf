/** Our sample products with ground-truth masks. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Plane, Rgb } from '../src/pixels/plane.ts';

export const PRODUCTS = [
  'mug',
  'dropper',
  'handbag',
  'kettle',
  'teddy',
  'ringvase',
  'headphones',
  'candle',
  'wineglass',
];

export type Sample = {
  picture: Rgb;
  /** Ground truth, 0..1. */
  alpha: Plane;
};

const FOLDER = fileURLToPath(new URL('./pictures/', import.meta.url));

/** The path of one of our samples, or of a third-party photograph. */
export function productPath(name: string): string {
  return `${FOLDER}${name.startsWith('thing-') ? 'real/' : ''}${name}.jpg`;
}

/** Reads a photo with its ground-truth mask, scaled down to a long side of at most `longSide` pixels. */
export async function readSample(name: string, longSide: number): Promise<Sample> {
  const shrunk = sharp(await readFile(productPath(name))).resize(longSide, longSide, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await shrunk.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const alpha = { width, height, data: await readMask(name, width, height) };
  return { picture: { width, height, data }, alpha };
}

async function readMask(name: string, width: number, height: number): Promise<Float32Array> {
  const mask = await sharp(`${FOLDER}${name}.mask.png`)
    .resize(width, height, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  return Float32Array.from(mask, (value) => value / 255);
}
