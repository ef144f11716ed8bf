import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { findStartTime, isAlive } from './processes.ts';

/** Takes the lock of this name on the data folder; a dead process's lock is replaced. @throws when it is held */
export function lockInstance(folder: string, name: string): { release: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.lock`);
  const mine = join(folder, `${name}.lock.${process.pid}`);
  const content = `${describeProcess(process.pid)}\n`;
  writeFileSync(mine, content, { mode: 0o600 });
  try {
    take(path, mine);
  } finally {
    unlinkSync(mine);
  }
  const release = () => {
    if (readIfThere(path) === content) unlinkSync(path);
  };
  return { release };
}

function take(path: string, mine: string): void {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (linkIfFree(mine, path)) return;
    const held = readIfThere(path);
    if (held === undefined) continue;
    const pid = parseInt(held);
    // Another process may have a dead one's number by now.
    if (isAlive(pid) && describeProcess(pid) === held.trim())
      throw new ExpectedError(
        `Another Plinth (process ${pid}) already runs on this data folder. Stop it first, or set DATA_DIR.`,
      );
    // Only who holds the lock that is named after the dead one removes his: by now another may have put its own there.
    const claim = `${path}.after.${pid}`;
    take(claim, mine);
    if (readIfThere(path) === held) rmSync(path);
    unlinkSync(claim);
  }
  throw new ExpectedError('The data folder is being taken by another Plinth that starts at the same moment.');
}

/** Gives a file a second name; false where that is taken. */
export function linkIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Its number and when it started, as far as that is known. */
const describeProcess = (pid: number): string => `${pid} ${findStartTime(pid)?.replaceAll(' ', '_') ?? 'unknown'}`;
