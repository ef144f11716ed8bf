import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ExpectedError } from '../errors.ts';

/** SQLite's code for a file that another process has locked. */
const BUSY = 5;

/**
 * Acquires the lock on the data folder: an open transaction on an empty SQLite file, which the system ends together
 * with its process. Held until `release` is called. @throws ExpectedError if another process has it
 */
export function lockInstance(folder: string): { release: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(join(folder, 'instance.lock'));
  try {
    file.exec('begin immediate');
  } catch (error) {
    file.close();
    if ((error as { errcode?: unknown }).errcode !== BUSY) throw error;
    throw new ExpectedError('Another Plinth already runs on this data folder. Stop it first, or set DATA_DIR.');
  }
  return { release: () => file.close() };
}
