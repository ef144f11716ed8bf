import { accessSync, constants, mkdirSync } from 'node:fs';
import { ExpectedError } from '../errors.ts';

/** What the system says of a folder that cannot be ours. */
const REASONS: Record<string, string> = {
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path leads in circles',
  ENOSPC: 'the disk is full',
};

/** Makes the folder where all is kept, unless it is there. @throws ExpectedError where it cannot be used */
export function openDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!Object.hasOwn(REASONS, code)) throw cause;
    throw new ExpectedError(`The data folder ${path} cannot be used: ${REASONS[code]}. Set DATA_DIR to another one.`, {
      cause,
    });
  }
}
