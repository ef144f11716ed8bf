import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Rgb, Size } from './plane.ts';

const COMPRESSION = 4; // of zlib's 9: 25 % faster than 6 for some 3 % more bytes

type Raw = Rgb & { channels: 3 | 4 };

/** 8-bit sRGB, three bytes per pixel, and alpha, one byte per pixel. */
type RgbAndAlpha = Size & { rgb: Uint8Array; alpha: Uint8Array };

/** Writes a PNG without the upload's metadata; returns its path. */
export async function savePng(folder: string, name: string, raw: Raw): Promise<string> {
  const { data, width, height, channels } = raw;
  return save(folder, name, sharp(data, { raw: { width, height, channels } }));
}

/**
 * Writes a cut-out as a PNG, without the upload's metadata. Colour and alpha are joined row by row: at 64 megapixels a
 * joined copy would take 256 MB. Returns its path.
 */
export async function saveCutout(folder: string, name: string, cutout: RgbAndAlpha): Promise<string> {
  const { rgb, alpha, width, height } = cutout;
  const alphaBytes = Buffer.from(alpha.buffer, alpha.byteOffset, alpha.length);
  const picture = sharp(rgb, { raw: { width, height, channels: 3 } });
  return save(folder, name, picture.joinChannel(alphaBytes, { raw: { width, height, channels: 1 } }));
}

async function save(folder: string, name: string, picture: Sharp): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  await picture.png({ compressionLevel: COMPRESSION }).toFile(path);
  return path;
}
