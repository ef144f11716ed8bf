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

/** The data folder's disk ended a start half-way; the next one may succeed. */
export class DataFolderError extends ExpectedError {}

/** SQLite's codes for a lock file that it may not write, no room for it, and one that it may not open. */
const SQLITE_CODES: Record<number, string> = { 8: 'EACCES', 13: 'ENOSPC', 14: 'EACCES' };
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);
const FORBIDDEN_CODES = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The error of a start as one about the data folder, if its disk is the cause; else the error itself. */
export function blameDataFolder(folder: string, error: unknown): unknown {
  const code = error instanceof Error ? findDiskCode(folder, error) : undefined;
  if (code === undefined) return error;
  return new DataFolderError(
    `The data folder ${folder} cannot be used: ${REASONS[code]}. Correct that, or set DATA_DIR to another one.`,
    { cause: error },
  );
}

function findDiskCode(folder: string, error: NodeJS.ErrnoException & { errcode?: number }): string | undefined {
  const { code = '', errcode, path, message } = error;
  if (errcode !== undefined && errcode in SQLITE_CODES) return SQLITE_CODES[errcode];
  // Postgres and its programs report it in a message only.
  if (FULL_CODES.has(code) || message.includes('No space left on device')) return 'ENOSPC';
  return FORBIDDEN_CODES.has(code) && path?.startsWith(folder) === true ? code : undefined;
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
