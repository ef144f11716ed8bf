import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { findStartTime, isAlive } from './processes.ts';

export type InstanceLock = { release: () => void };

/**
 * Makes this process the only one with this role on the data folder. A lock of a process that is gone is taken over.
 * @throws when another process holds it
 */
export function lockInstance(folder: string, name: string): InstanceLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.lock`);
  const mine = join(folder, `${name}.lock.${process.pid}`);
  const content = `${process.pid} ${startTime(process.pid)}\n`;
  writeFileSync(mine, content, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (linked(mine, path)) return { release: () => releaseOwn(path, content) };
      const holder = readHolder(path);
      if (holder !== undefined && isHolder(holder)) {
        throw new ExpectedError(
          `Another Plinth (process ${holder.pid}) already runs on this data folder. Stop it first, or set DATA_DIR.`,
        );
      }
      rmSync(path, { force: true });
    }
    throw new ExpectedError('The data folder is being taken by another Plinth that starts at the same moment.');
  } finally {
    unlinkSync(mine);
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): { pid: number; started: string } | undefined {
  try {
    const [pid, started] = readFileSync(path, 'utf8').trim().split(' ');
    return pid === undefined ? undefined : { pid: Number(pid), started: started ?? '' };
  } catch {
    return undefined;
  }
}

function releaseOwn(path: string, content: string): void {
  try {
    if (readFileSync(path, 'utf8') === content) unlinkSync(path);
  } catch {
    // Gone already: nothing to release.
  }
}

/**
 * False for a process that has the number of a dead one. Where nobody says when a process started, any that lives is
 * taken for the one that wrote the lock.
 */
function isHolder({ pid, started }: { pid: number; started: string }): boolean {
  return isAlive(pid) && startTime(pid) === started;
}

const startTime = (pid: number): string => findStartTime(pid)?.replaceAll(' ', '_') ?? 'unknown';
