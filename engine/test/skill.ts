/** Requests to skills in the test's process: drawn pictures on disk, and a matting that knows the product's place. */
import { join } from 'node:path';
import sharp from 'sharp';
import { UnclearProduct, type Matting } from '../src/cutout/matting.ts';
import type { Marks } from '../src/cutout/marks.ts';
import type { Rgb } from '../src/pixels/plane.ts';
import type { SkillRequest } from '../src/skills/skills.ts';
import { drawPlane } from './draw.ts';

/** Saves a picture as a PNG, with its alpha 0..255 if given; returns its path. */
export async function savePicture(folder: string, name: string, picture: Rgb, alpha?: Uint8Array): Promise<string> {
  const { data, width, height } = picture;
  const path = join(folder, `${name}.png`);
  const opaque = sharp(data, { raw: { width, height, channels: 3 } });
  const withAlpha = alpha ? opaque.joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } }) : opaque;
  await withAlpha.png().toFile(path);
  return path;
}

/** Makes a matting that detects the product where `isProduct` is true (shares of the size), and records marks. */
export function makeMatting(
  isProduct: (x: number, y: number) => boolean,
  receivedMarks: (Marks | undefined)[] = [],
): Matting {
  const draw = (picture: Rgb) => {
    const { width, height } = picture;
    return drawPlane(picture, (x, y) => (isProduct((x + 0.5) / width, (y + 0.5) / height) ? 1 : 0));
  };
  return {
    detect: async (picture, marks) => {
      receivedMarks.push(marks);
      return { alpha: draw(picture), scale: 1, isSure: true };
    },
    find: async (picture, report, marks) => {
      receivedMarks.push(marks);
      await report(50);
      return draw(picture);
    },
  };
}

/** Detects nothing. */
export const BLIND = reject(new UnclearProduct('blind'));

/** Fails for a reason other than the picture. Used where no detection is expected. */
export const BROKEN = reject(new Error('asked'));

function reject(error: Error): Matting {
  return { detect: () => Promise.reject(error), find: () => Promise.reject(error) };
}

/** `reported` receives the reported percentages. */
export function makeRequest(folder: string, changes: Partial<SkillRequest>, reported: number[] = []): SkillRequest {
  const report = async (percent: number) => void reported.push(percent);
  return { input: {}, pictures: {}, folder, seed: 7, matting: BROKEN, report, ...changes };
}
