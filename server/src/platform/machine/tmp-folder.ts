import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { secondsAfter, systemClock } from '../clock.ts';

/** Longer than an upload or the engine's work on it may take. */
const STALE_SECONDS = 3600;
const SWEEP_MS = 300_000;

/** Folder for incoming photos and those in the engine, each under a random name and deleted by its creator. */
export const tmpFolder = (dataDir: string): string => join(dataDir, 'tmp');

/** Creates the folder and periodically deletes leftovers of killed processes. Returns a function that stops it. */
export function sweepTmpFolder(dataDir: string, sweepMs = SWEEP_MS): () => void {
  const folder = tmpFolder(dataDir);
  const sweep = async (): Promise<void> => {
    const limit = secondsAfter(systemClock.now(), -STALE_SECONDS);
    for (const name of await readdir(folder)) await removeIfStale(join(folder, name), limit).catch(ignore);
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  void sweep().catch(ignore);
  const timer = setInterval(() => void sweep().catch(ignore), sweepMs).unref();
  return () => clearInterval(timer);
}

async function removeIfStale(path: string, limit: Date): Promise<void> {
  const { mtime } = await stat(path);
  if (mtime < limit) await rm(path, { recursive: true, force: true });
}

/** Ignored: gone already, or left to its creator, the next sweep or another process. */
const ignore = (): void => undefined;
