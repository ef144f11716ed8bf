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

/** Draws and codes a script frame by frame. Whether it is black or stands still is for the server to see. */
export async function makeFilm(
  stage: Stage,
  script: Script,
  fps: number,
  path: { folder: string; name: string },
  report: Report,
): Promise<MadeFile> {
  const { width, height } = stage.frame;
  const bytes = await shoot(stage, script, { width, height, fps, quantiser: QUANTISER }, report);
  const file = join(path.folder, path.name);
  await mkdir(path.folder, { recursive: true, mode: 0o700 });
  await writeFile(file, bytes);
  return { path: file, contentType: 'video/mp4', bytes: bytes.length, width, height };
}

async function shoot(stage: Stage, script: Script, coding: Coding, report: Report): Promise<Uint8Array> {
  const frames = script.poses.length;
  const painter = makePainter(stage);
  const encoding = startEncoding(coding);
  try {
    for (const [n, pose] of script.poses.entries()) {
      if (n % REPORT_EVERY === 0) await report(n / frames);
      painter.paint({ pose, n, t: n / (frames - 1), seconds: n / coding.fps }, script.effects);
      await encoding.add(painter.canvas.bytes);
    }
    return await encoding.finish();
  } finally {
    encoding.stop();
  }
}
