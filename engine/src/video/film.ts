import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MadeFile } from '../pixels/encode.ts';
import type { Script } from './director.ts';
import { makePainter } from './draw.ts';
import { startEncoding } from './encode-apart.ts';
import type { Coding } from './encoder.ts';
import type { Stage } from './stage.ts';

/** What is to be filmed, frame by frame. */
export type FilmPlan = {
  stage: Stage;
  script: Script;
  fps: number;
};

/** Gets the share 0..1 of the work. */
type Report = (share: number) => Promise<void>;

const REPORT_EVERY = 5; // frames
const QUANTISER = 22; // below it files grow fast and nobody sees it
const COARSEST = 28; // the coded first frame of the furriest of our samples is still 38 dB from the drawn one
const MOST_BITS_A_PIXEL = 0.2; // 1.4 MB for four seconds of 768 x 768; only fur, knitwear and carpets want more

/** Draws and codes a script frame by frame. Whether it is black or stands still is for the server to see. */
export async function makeFilm(
  stage: Stage,
  script: Script,
  fps: number,
  path: { folder: string; name: string },
  report: Report,
): Promise<MadeFile> {
  const { width, height } = stage.frame;
  const coding = { width, height, fps, quantiser: QUANTISER };
  let shot = await shoot(stage, script, coding, report);
  if ('quantiser' in shot) shot = await shoot(stage, script, { ...coding, quantiser: shot.quantiser }, report);
  if ('quantiser' in shot) throw new Error('a film was found too large twice');
  const { bytes } = shot;
  const file = join(path.folder, path.name);
  await mkdir(path.folder, { recursive: true, mode: 0o700 });
  await writeFile(file, bytes);
  return { path: file, contentType: 'video/mp4', bytes: bytes.length, width, height };
}

/** The coded film, or the quantiser to begin again with when its first second shows that it would become too large. */
async function shoot(
  stage: Stage,
  script: Script,
  coding: Coding,
  report: Report,
): Promise<{ bytes: Uint8Array } | { quantiser: number }> {
  const frames = script.poses.length;
  const painter = makePainter(stage);
  const encoding = startEncoding(coding);
  try {
    for (const [n, pose] of script.poses.entries()) {
      if (n % REPORT_EVERY === 0) await report(n / frames);
      painter.paint({ pose, n, t: n / (frames - 1), seconds: n / coding.fps }, script.effects);
      await encoding.add(painter.canvas.bytes);
      const quantiser = chooseCoarser(coding, encoding.sizes, frames);
      if (quantiser !== undefined) return { quantiser };
    }
    return { bytes: await encoding.finish() };
  } finally {
    encoding.stop();
  }
}

/** Judged by one frame's size alone, so that it does not matter when the coding of the others is done. */
function chooseCoarser({ width, height, fps, quantiser }: Coding, sizes: number[], frames: number): number | undefined {
  const firstSecond = sizes[fps];
  if (firstSecond === undefined || quantiser > QUANTISER || frames < 2 * fps) return undefined;
  const bitsAPixel = (8 * firstSecond) / (fps * width * height);
  if (bitsAPixel <= MOST_BITS_A_PIXEL) return undefined;
  return Math.min(COARSEST, QUANTISER + Math.ceil(4 * Math.log2(bitsAPixel / MOST_BITS_A_PIXEL)));
}
