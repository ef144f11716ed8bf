import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MadeFile } from '../pixels/encode.ts';
import type { Script } from './director.ts';
import { makePainter } from './draw.ts';
import { startEncoding } from './encode-apart.ts';
import type { Stage } from './stage.ts';

/** What is to be filmed, frame by frame. */
export type FilmPlan = { stage: Stage; script: Script; fps: number };

/** Gets the share 0..1 of the work. */
type Report = (share: number) => Promise<void>;

const REPORT_EVERY = 5; // frames

/** Draws and codes a script frame by frame. Whether it is black or stands still is for the server to see. */
export async function makeFilm({ stage, script, fps }: FilmPlan, path: string, report: Report): Promise<MadeFile> {
  const { width, height } = stage.frame;
  const frames = script.poses.length;
  const painter = makePainter(stage);
  const encoding = startEncoding({ width, height, fps });
  try {
    for (const [n, pose] of script.poses.entries()) {
      if (n % REPORT_EVERY === 0) await report(n / frames);
      painter.paint({ pose, t: n / (frames - 1), seconds: n / fps }, script.effects);
      await encoding.add(painter.canvas.bytes);
    }
    const bytes = await encoding.finish();
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes);
    return { path, contentType: 'video/mp4', bytes: bytes.length, width, height };
  } finally {
    encoding.stop();
  }
}
