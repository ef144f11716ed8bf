import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type * as H264 from 'h264-mp4-encoder';
import sharp from 'sharp';
import type { Size } from '../pixels/plane.ts';
import type { Script } from './director.ts';
import { makePainter } from './draw.ts';
import { addCoverArt, finishMp4 } from './mp4.ts';
import type { Stage } from './stage.ts';
import { toRgb } from './yuv.ts';

/** The stage, the script and the format of a film. */
export type FilmPlan = { stage: Stage; script: Script; fps: number };

const REPORT_EVERY = 5; // frames
const COVER_ART_QUALITY = 88;

/**
 * Draws and encodes a script; its first frame is also the cover art. Returns `path`. The server checks for black or
 * still films.
 * @param report receives the progress, 0..1
 */
export async function makeFilm(
  { stage, script, fps }: FilmPlan,
  path: string,
  report: (share: number) => Promise<void>,
): Promise<string> {
  const { width, height } = stage.frame;
  const frames = script.poses.length;
  const painter = makePainter(stage);
  const encoder = await openEncoder({ width, height, fps });
  let coverArt: Buffer | undefined;
  try {
    for (const [n, pose] of script.poses.entries()) {
      if (n % REPORT_EVERY === 0) await report(n / frames);
      painter.paint({ pose, t: n / (frames - 1), seconds: n / fps }, script.effects);
      encoder.add(painter.canvas.bytes);
      coverArt ??= await sharp(toRgb(painter.canvas), { raw: { width, height, channels: 3 } })
        .jpeg({ quality: COVER_ART_QUALITY })
        .toBuffer();
    }
    const bytes = addCoverArt(encoder.finish(), coverArt!);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes);
    return path;
  } finally {
    encoder.dispose();
  }
}

// 8 is 10 % faster but starts a loop with a visible step; 9 doubles the file; 0 takes 67 % longer for 0.2 dB
const SPEED = 5;
// 10 (best) to 51: plus 4 halves the bytes; lower values grow the file without a visible gain
const QUANTISER = 22;
const KEY_FRAME_EVERY_SECONDS = 6; // each causes a visible pulse in calm scenes: most films only have their first

/** CommonJS without named exports; loaded only for a video. */
const load = () => createRequire(import.meta.url)('h264-mp4-encoder') as typeof H264;

let opened = 0;

/** H.264 baseline in MP4. @throws if a side is odd; its WebAssembly has then aborted, for the whole process */
export async function openEncoder({ width, height, fps }: Size & { fps: number }) {
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
