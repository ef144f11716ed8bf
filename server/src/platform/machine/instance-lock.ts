import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { findStartTime, isAlive } from './processes.ts';

/** Acquires the lock on the data folder, replacing that of a dead process. @throws if it is held */
export function lockInstance(folder: string): { release: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'plinth.lock');
  const ownFile = `${path}.${process.pid}`;
  const content = `${describeProcess(process.pid)}\n`;
  writeFileSync(ownFile, content, { mode: 0o600 });
  try {
    acquire(path, ownFile);
  } finally {
    unlinkSync(ownFile);
  }
  const release = () => {
    if (readIfExists(path) === content) unlinkSync(path);
  };
  return { release };
}

function acquire(path: string, ownFile: string): void {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (linkIfFree(ownFile, path)) return;
    const holder = readIfExists(path);
    if (holder === undefined) continue;
    const pid = parseInt(holder);
    // The pid may have been reused by another process.
    if (isAlive(pid) && describeProcess(pid) === holder.trim())
      throw new ExpectedError(
        `Another Plinth (process ${pid}) already runs on this data folder. Stop it first, or set DATA_DIR.`,
      );
    // Only the holder of the lock named after the dead process removes its lock, because another may have replaced it.
    const claim = `${path}.after.${pid}`;
    acquire(claim, ownFile);
    if (readIfExists(path) === holder) rmSync(path);
    unlinkSync(claim);
  }
  throw new ExpectedError('The data folder is being taken by another Plinth that starts at the same moment.');
}

/** Creates a hard link; false if the name is taken. */
export function linkIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A process's pid and its start time, if known. */
const describeProcess = (pid: number): string => `${pid} ${findStartTime(pid)?.replaceAll(' ', '_') ?? 'unknown'}`;
