import { Worker } from 'node:worker_threads';
import sharp, { type Sharp } from 'sharp';
import { readFirstSample } from './mp4.ts';

/** A decoded frame: planar YUV 4:2:0 of video range, sizes in pixels. */
export type YuvFrame = { width: number; height: number; planes: Uint8Array };

const TIME_MS = 5000;
// What the decoder's own buffer holds.
const MOST_BYTES = 1024 * 1024;

/** The first frame of an H.264 Baseline MP4, as the engine makes, decoded in a thread of its own; else undefined. */
export async function decodeFirstFrame(video: Buffer): Promise<Sharp | undefined> {
  const units = findUnits(video);
  if (units === undefined || units.some((unit) => unit.byteLength >= MOST_BYTES)) return undefined;
  const frame = await decodeApart(units);
  if (frame === undefined) return undefined;
  const { width, height } = frame;
  return sharp(toRgb(frame), { raw: { width, height, channels: 3 } });
}

/** Whatever is wrong with the file, it has no frame for us. */
function findUnits(video: Buffer): Buffer[] | undefined {
  try {
    return readFirstSample(video);
  } catch {
    return undefined;
  }
}

function decodeApart(units: Buffer[]): Promise<YuvFrame | undefined> {
  const thread = new Worker(new URL('first-frame-thread.ts', import.meta.url), {
    workerData: units,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return new Promise((resolve) => {
    const end = (frame?: YuvFrame) => {
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

/** ITU-R BT.709, video range, as our own clips are coded. */
function toRgb({ width, height, planes }: YuvFrame): Uint8Array {
  const rgb = new Uint8ClampedArray(width * height * 3);
  const half = width >> 1;
  const blueAt = width * height;
  const redAt = blueAt + half * (height >> 1);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const chroma = (y >> 1) * half + (x >> 1);
      const luma = 1.1644 * ((planes[y * width + x] ?? 16) - 16);
      const blue = (planes[blueAt + chroma] ?? 128) - 128;
      const red = (planes[redAt + chroma] ?? 128) - 128;
      rgb.set([luma + 1.7927 * red, luma - 0.2132 * blue - 0.5329 * red, luma + 2.1124 * blue], (y * width + x) * 3);
    }
  }
  return new Uint8Array(rgb.buffer);
}
