import type { Picture } from '../pixels/decode.ts';
import { openCv } from '../pixels/opencv.ts';
import { mapBytes } from '../pixels/map.ts';

export const SEED = { background: 0, foreground: 1, probablyBackground: 2, probablyForeground: 3 } as const;

/** OpenCV's grabCut from a map of seeds; returns 1 for the product. The library's random numbers start anew each time. */
export function grabCut(picture: Picture, seeds: Uint8Array, rounds: number): Uint8Array {
  const isForeground = (seed: number) => (seed & 1) === 1;
  if (!seeds.some(isForeground) || seeds.every(isForeground)) return seeds.map((seed) => seed & 1); // it aborts on these
  const cv = openCv();
  const { width, height } = picture;
  const image = cv.matFromArray(height, width, cv.CV_8UC3, picture.rgb as unknown as number[]);
  const mask = cv.matFromArray(height, width, cv.CV_8UC1, seeds as unknown as number[]);
  const backgroundModel = new cv.Mat();
  const foregroundModel = new cv.Mat();
  try {
    cv.setRNGSeed(1);
    const fromMask = cv.GC_INIT_WITH_MASK as number;
    cv.grabCut(image, mask, new cv.Rect(0, 0, 1, 1), backgroundModel, foregroundModel, rounds, fromMask);
    return mapBytes(mask.data, (value) => value & 1);
  } finally {
    for (const mat of [image, mask, backgroundModel, foregroundModel]) mat.delete();
  }
}
