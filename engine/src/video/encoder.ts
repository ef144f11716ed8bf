import { createRequire } from 'node:module';
import type * as H264 from 'h264-mp4-encoder';
import type { Size } from '../pixels/plane.ts';
import { finishMp4 } from './mp4.ts';

/** What is to be coded: width and height in pixels, both even. */
export type Coding = Size & { fps: number };

// 8 is a tenth faster and begins a loop with a visible step; 9 doubles the file; 0 takes two thirds longer for 0.2 dB
const SPEED = 5;
// 10 best .. 51: four more make about half the bytes; below it files grow fast and nobody sees it
const QUANTISER = 22;
const KEY_FRAME_EVERY_SECONDS = 6; // each one shows as a pulse where little moves: most films have only their first

/** CommonJS without names that an import could see; loaded only when a video is wanted. */
const load = () => createRequire(import.meta.url)('h264-mp4-encoder') as typeof H264;

let opened = 0;

/** H.264 baseline in MP4. @throws where a side is not even; its WebAssembly has aborted then and is to be let go */
export async function openEncoder({ width, height, fps }: Coding) {
  const encoder = await load().createH264MP4Encoder();
  const { FS } = encoder;
  const name = `${(opened += 1)}.mp4`; // all encoders share one file system in memory
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
    /** Takes I420 frames one by one; the same buffer may be used for all. */
    add: (frame: Uint8Array) => encoder.addFrameYuv(frame),
    /** The whole file, index first. */
    finish: () => {
      finalize();
      return finishMp4(FS.readFile(name));
    },
    /** Gives the WASM memory back; must be called, finished or not. */
    free: () => {
      finalize(); // an encoder that is deleted before that aborts
      encoder.delete();
      FS.unlink(name);
    },
  };
}
