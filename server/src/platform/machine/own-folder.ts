import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';

/** A process's folder for photos that arrive and an engine's files; those of killed processes are removed. */

const LOOK_MS = 60_000;
/** A folder that nobody has touched in so many looks belongs to nobody any more. */
const STILL_LOOKS = 10;

/** Its path: no other process has it, not even one in another container that shares the data folder. */
export const nameOwnFolder = (dataDir: string): string => join(dataDir, 'tmp', `${hostname()}-${process.pid}`);

/** Whether processes have such folders, dead ones among them for a while. */
export const hasOwnFolders = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'tmp')) && readdirSync(join(dataDir, 'tmp')).length > 0;

/**
 * Makes this process's folder and touches it at every look; untouched neighbours go. Time is counted in looks, so that
 * sleep or a wrong clock deletes nothing. Returns what ends it.
 */
export function keepOwnFolder(dataDir: string, lookMs = LOOK_MS): () => void {
  const own = nameOwnFolder(dataDir);
  const known = new Map<string, { touchedMs: number; looks: number }>();
  const lookAt = async (path: string): Promise<void> => {
    const { mtimeMs } = await stat(path);
    const before = known.get(path);
    const looks = before?.touchedMs === mtimeMs ? before.looks + 1 : 0;
    known.set(path, { touchedMs: mtimeMs, looks });
    if (looks < STILL_LOOKS) return;
    await rm(path, { recursive: true, force: true });
    known.delete(path);
  };
  const look = async (): Promise<void> => {
    const now = systemClock.now();
    await utimes(own, now, now);
    for (const name of await readdir(dirname(own)))
      if (name !== basename(own)) await lookAt(join(dirname(own), name)).catch(forgive);
  };
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const timer = setInterval(() => void look().catch(forgive), lookMs).unref();
  return () => {
    clearInterval(timer);
    rmSync(own, { recursive: true, force: true });
  };
}

/** Gone meanwhile, or not ours to take: the next look, or another process, sees to it. */
const forgive = (): void => undefined;
