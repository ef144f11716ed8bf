import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { secondsAfter, systemClock } from '../clock.ts';

/** Longer than a photo may take to arrive, or an engine to work on it. */
const LEFT_SECONDS = 3600;
const LOOK_MS = 300_000;

/** For photos that arrive and those that an engine works on, each under a random name; its maker takes it away. */
export const tmpFolder = (dataDir: string): string => join(dataDir, 'tmp');

/** Makes it and takes away, now and later, what killed processes left there. Returns what ends it. */
export function sweepTmpFolder(dataDir: string, lookMs = LOOK_MS): () => void {
  const folder = tmpFolder(dataDir);
  const look = async (): Promise<void> => {
    const limit = secondsAfter(systemClock.now(), -LEFT_SECONDS);
    for (const name of await readdir(folder)) await removeIfLeft(join(folder, name), limit).catch(forgive);
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  void look().catch(forgive);
  const timer = setInterval(() => void look().catch(forgive), lookMs).unref();
  return () => clearInterval(timer);
}

async function removeIfLeft(path: string, limit: Date): Promise<void> {
  const { mtime } = await stat(path);
  if (mtime < limit) await rm(path, { recursive: true, force: true });
}

/** Gone meanwhile, or not ours to take: its maker, the next look, or another process, sees to it. */
const forgive = (): void => undefined;
