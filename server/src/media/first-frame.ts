import { Worker } from 'node:worker_threads';
import sharp, { type Sharp } from 'sharp';
import { readFirstSample } from './mp4.ts';

/** A decoded frame: three bytes a pixel, sizes in pixels. */
export type Frame = { width: number; height: number; rgb: Uint8Array<ArrayBuffer> };

const TIME_MS = 5000;
// What the decoder's own buffer holds.
const MOST_BYTES = 1024 * 1024;

/** The first frame of an H.264 Baseline MP4, as the engine makes, decoded in a thread of its own; else undefined. */
export async function decodeFirstFrame(video: Buffer): Promise<Sharp | undefined> {
  const units = findUnits(video);
  if (units === undefined || units.some((unit) => unit.byteLength >= MOST_BYTES)) return undefined;
  const frame = await decodeApart(units);
  if (frame === undefined) return undefined;
  const { width, height, rgb } = frame;
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** Whatever is wrong with the file, it has no frame for us. */
function findUnits(video: Buffer): Buffer[] | undefined {
  try {
    return readFirstSample(video);
  } catch {
    return undefined;
  }
}

function decodeApart(units: Buffer[]): Promise<Frame | undefined> {
  const thread = new Worker(new URL('first-frame-thread.ts', import.meta.url), {
    workerData: units,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return new Promise((resolve) => {
    const end = (frame?: Frame) => {
      clearTimeout(timer);
      void thread.terminate();
      resolve(frame);
    };
    const timer = setTimeout(end, TIME_MS);
    thread.once('message', end);
    thread.once('error', () => end());
    thread.once('exit', () => end());
  });
}
