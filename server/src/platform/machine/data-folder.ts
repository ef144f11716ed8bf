import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError } from '../errors.ts';

/** Error codes for a folder that cannot be used. */
const REASONS: Record<string, string> = {
  ENOENT: 'no folder can be made there, as where a disk is not mounted',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path leads in circles',
  ENOSPC: 'the disk is full',
};

/** Creates the data folder if missing. @throws ExpectedError if it cannot be used */
export function openDataFolder(path: string, mode?: number): void {
  try {
    makeFolder(path, mode);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!Object.hasOwn(REASONS, code)) throw cause;
    throw new ExpectedError(`The data folder ${path} cannot be used: ${REASONS[code]}. Set DATA_DIR to another one.`, {
      cause,
    });
  }
}

/** Creates parents itself, because Node's recursive mkdir never returns below /proc. */
function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), mode);
    makeFolder(path, mode);
  }
}
