import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDefect, makeWatch } from './defects.ts';
import type { Script } from './director.ts';
import { makePainter } from './draw.ts';
import { openEncoder } from './encoder.ts';
import { readMp4 } from './mp4.ts';
import type { Stage } from './stage.ts';

/** A finished video as the wire names it; `local_path` is replaced by a url when the engine serves it. */
export interface VideoFile {
  local_path: string;
  content_type: 'video/mp4';
  file_name: string;
  file_size: number;
  width: number;
  height: number;
  fps: number;
  /** Seconds. */
  duration: number;
  num_frames: number;
}

const REPORT_EVERY = 5; // frames

/** Draws and codes a script frame by frame; `report` gets the share 0..1 of the work. Throws rather than keep a bad film. */
export async function makeFilm(
  stage: Stage,
  script: Script,
  fps: number,
  path: { folder: string; name: string },
  report: (share: number) => Promise<void>,
): Promise<VideoFile> {
  const { width, height } = stage.frame;
  const frames = script.poses.length;
  const painter = makePainter(stage);
  const watch = makeWatch();
  const encoder = await openEncoder(width, height, fps);
  let bytes: Uint8Array;
  try {
    for (const [n, pose] of script.poses.entries()) {
      if (n % REPORT_EVERY === 0) await report(n / frames);
      painter.paint({ pose, n, t: n / (frames - 1), seconds: n / fps }, script.effects);
      watch.see(painter.canvas.y);
      encoder.add(painter.canvas.bytes);
    }
    bytes = encoder.finish();
  } finally {
    encoder.free();
  }
  const facts = readMp4(bytes);
  const defect = findDefect(watch, facts, { width, height, frames, fps });
  if (defect) throw new Error(`the video is unusable: ${defect}`);
  const file = join(path.folder, path.name);
  await mkdir(path.folder, { recursive: true, mode: 0o700 });
  await writeFile(file, bytes);
  return {
    local_path: file,
    content_type: 'video/mp4',
    file_name: path.name,
    file_size: bytes.length,
    width,
    height,
    fps,
    duration: frames / fps,
    num_frames: frames,
  };
}
