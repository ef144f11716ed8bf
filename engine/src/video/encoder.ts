import { createRequire } from 'node:module';
import type * as H264 from 'h264-mp4-encoder';
import type { Size } from '../pixels/plane.ts';
import { finishMp4 } from './mp4.ts';

/** Width and height in pixels, both even, and frame rate. */
export type VideoOptions = Size & { fps: number };

// 8 is 10 % faster but starts a loop with a visible step; 9 doubles the file; 0 takes 67 % longer for 0.2 dB
const SPEED = 5;
// 10 (best) to 51: plus 4 halves the bytes; lower values grow the file without a visible gain
const QUANTISER = 22;
const KEY_FRAME_EVERY_SECONDS = 6; // each causes a visible pulse in calm scenes: most films only have their first

/** CommonJS without named exports; loaded only for a video. */
const load = () => createRequire(import.meta.url)('h264-mp4-encoder') as typeof H264;

let opened = 0;

/** H.264 baseline in MP4. @throws if a side is odd; its WebAssembly has then aborted, for the whole process */
export async function openEncoder({ width, height, fps }: VideoOptions) {
  const encoder = await load().createH264MP4Encoder();
  const { FS } = encoder;
  const name = `${(opened += 1)}.mp4`; // all encoders share one in-memory file system
  let isFinal = false;
  const finalize = () => {
    if (!isFinal) encoder.finalize();
    isFinal = true;
  };
  encoder.outputFilename = name;
  encoder.width = width;
  encoder.height = height;
  encoder.frameRate = fps;
  encoder.quantizationParameter = QUANTISER;
  encoder.speed = SPEED;
  encoder.groupOfPictures = KEY_FRAME_EVERY_SECONDS * fps;
  encoder.initialize();
  return {
    /** Adds an I420 frame; the buffer may be reused. */
    add: (frame: Uint8Array) => encoder.addFrameYuv(frame),
    /** The whole file, index first. */
    finish: () => {
      finalize();
      return finishMp4(FS.readFile(name));
    },
    /** Releases the WASM memory, finished or not; must be called. */
    dispose: () => {
      finalize(); // deleting an encoder before it is finalized aborts
      encoder.delete();
      FS.unlink(name);
    },
  };
}
