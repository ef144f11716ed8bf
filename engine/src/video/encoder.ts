import { createRequire } from 'node:module';
import type * as H264 from 'h264-mp4-encoder';
import { finishMp4 } from './mp4.ts';

/** Takes I420 frames one by one; the same buffer may be used for all. */
export interface Encoder {
  add: (frame: Uint8Array<ArrayBuffer>) => void;
  /** The whole file, index first. */
  finish: () => Uint8Array;
  /** Gives the WASM memory back; must be called, finished or not. */
  free: () => void;
}

const QUANTISER = 22; // 10 best .. 51; below it files grow fast and nobody sees it
const SPEED = 5; // 8 is a tenth faster and begins a loop with a visible step; 0 takes two thirds longer for 0.2 dB
const KEY_FRAME_EVERY_SECONDS = 6; // each one shows as a pulse where little moves: most films have only their first

/** CommonJS without names that an import could see; loaded only when a video is wanted. */
const load = () => createRequire(import.meta.url)('h264-mp4-encoder') as typeof H264;

/** H.264 baseline in MP4; width and height in pixels, both even. */
export async function openEncoder(width: number, height: number, fps: number): Promise<Encoder> {
  const encoder = await load().createH264MP4Encoder();
  encoder.width = width;
  encoder.height = height;
  encoder.frameRate = fps;
  encoder.quantizationParameter = QUANTISER;
  encoder.speed = SPEED;
  encoder.groupOfPictures = KEY_FRAME_EVERY_SECONDS * fps;
  encoder.initialize();
  return {
    add: (frame) => encoder.addFrameYuv(frame),
    finish: () => {
      encoder.finalize();
      return finishMp4(encoder.FS.readFile(encoder.outputFilename));
    },
    free: () => {
      const { FS, outputFilename } = encoder;
      encoder.delete();
      FS.writeFile(outputFilename, ''); // all encoders share one file system in memory: its bytes would stay
    },
  };
}
