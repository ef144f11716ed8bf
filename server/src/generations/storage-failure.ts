import { isDatabaseUnavailable } from '../platform/data/db.ts';
import { StorageUnavailableError } from '../platform/data/storage.ts';
import { AppError } from '../platform/errors.ts';

/** A file could not be read or stored, for a reason that a retry does not mend. */
export class StorageFailedError extends Error {}

/** True for errors worth a later retry: the database or storage is unavailable, or the system is overloaded. */
export const isOutage = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  error instanceof StorageUnavailableError ||
  (error instanceof AppError && error.code === 'temporarily_unavailable');

/** Wraps an error of the storage, unless it is an outage. */
export const failStorage =
  (what: string) =>
  (cause: unknown): never => {
    throw isOutage(cause) ? cause : new StorageFailedError(what, { cause });
  };
