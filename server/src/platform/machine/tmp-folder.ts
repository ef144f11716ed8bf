import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { secondsAfter, systemClock } from '../clock.ts';

/** Longer than an upload or the engine's work on it may take. */
const LEFT_SECONDS = 3600;
const LOOK_MS = 300_000;

/** Folder for incoming photos and those in the engine, each under a random name and deleted by its creator. */
export const tmpFolder = (dataDir: string): string => join(dataDir, 'tmp');

/** Creates the folder and periodically deletes leftovers of killed processes. Returns a function that stops it. */
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

/** Ignored: gone already, or left to its creator, the next sweep or another process. */
const forgive = (): void => undefined;
