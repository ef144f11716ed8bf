import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import sharp from 'sharp';
import type { Canvas } from './canvas.ts';
import type { Script } from './director.ts';
import { makePainter } from './draw.ts';
import { openEncoder } from './encoder.ts';
import { addCoverArt } from './mp4.ts';
import type { Stage } from './stage.ts';
import { toRgb } from './yuv.ts';

/** The stage, the script and the format of a film. */
export type FilmPlan = { stage: Stage; script: Script; fps: number };

/** Receives the progress, 0..1. */
type Report = (share: number) => Promise<void>;

const REPORT_EVERY = 5; // frames
const COVER_ART_QUALITY = 88;

/**
 * Draws and encodes a script; its first frame is also the cover art. Returns `path`. The server checks for black or
 * still films.
 */
export async function makeFilm({ stage, script, fps }: FilmPlan, path: string, report: Report): Promise<string> {
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
      coverArt ??= await takePicture(painter.canvas);
    }
    const bytes = addCoverArt(encoder.finish(), coverArt!);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes);
    return path;
  } finally {
    encoder.dispose();
  }
}

function takePicture(frame: Canvas): Promise<Buffer> {
  const { width, height } = frame;
  return sharp(toRgb(frame), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: COVER_ART_QUALITY })
    .toBuffer();
}
