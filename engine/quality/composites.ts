/** Our sample products and other photographs, with ground-truth masks. */
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

const FOLDER = fileURLToPath(new URL('./pictures/', import.meta.url));

/** The path, without its extension, of one of our samples, a third-party photograph or a drawing. */
function pathOf(name: string): string {
  const folder = /^(thing|shelf)-/.test(name) ? 'real/' : /^(judge|tune)-/.test(name) ? 'judge/' : '';
  return `${FOLDER}${folder}${name}`;
}

export const productPath = (name: string): string => `${pathOf(name)}.jpg`;

/** Reads a photo, scaled down to a long side of at most `longSide` pixels. */
export async function readPhoto(name: string, longSide: number): Promise<Rgb> {
  const photo = sharp(productPath(name)).resize(longSide, longSide, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Reads a photo with its ground-truth mask, 0..1. */
export async function readSample(name: string, longSide: number): Promise<{ picture: Rgb; alpha: Plane }> {
  const picture = await readPhoto(name, longSide);
  const { width, height } = picture;
  const mask = sharp(`${pathOf(name)}.mask.png`)
    .resize(width, height, { fit: 'fill' })
    .greyscale()
    .raw();
  const data = Float32Array.from(await mask.toBuffer(), (value) => value / 255);
  return { picture, alpha: { width, height, data } };
}
