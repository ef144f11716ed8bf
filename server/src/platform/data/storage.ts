import type { Readable } from 'node:stream';
import { ExpectedError } from '../errors.ts';

/** First and last byte, inclusive. */
export type ByteRange = { start: number; end: number };
export type StoredObject = { key: string; changedAt: Date };

/** Private files by key. An object is either complete or absent. */
export type Storage = {
  put: (key: string, content: Uint8Array, contentType: string) => Promise<void>;
  /** A stream of the bytes; undefined if there is no such object. */
  read: (key: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** All bytes; undefined if there is no such object. */
  readWhole: (key: string) => Promise<Buffer | undefined>;
  /** Deletes the object; no error if it is gone already. */
  remove: (key: string) => Promise<void>;
  list: () => AsyncIterable<StoredObject>;
  /** Checks that the storage works. @throws if it does not */
  check: () => Promise<void>;
};

/** Deletes unused objects. Returns how many could not be deleted: without a row, the orphan sweep deletes them. */
export async function removeFiles(storage: Pick<Storage, 'remove'>, keys: readonly string[]): Promise<number> {
  const removed = await Promise.allSettled(keys.map((key) => storage.remove(key)));
  return removed.filter(({ status }) => status === 'rejected').length;
}

/** Deletes an object; returns the error if this one cannot be deleted. @throws StorageUnavailableError */
export const tryRemove = (storage: Storage, key: string): Promise<Error | undefined> =>
  storage.remove(key).then(
    () => undefined,
    (error: Error) => {
      if (error instanceof StorageUnavailableError) throw error;
      return error;
    },
  );

/** The storage is unreachable, silent or failing: the caller may retry later. */
export class StorageUnavailableError extends ExpectedError {
  constructor(cause: unknown) {
    super('The storage does not answer. Check S3_ENDPOINT, or try again later.', { cause });
  }
}

/** The storage rejects us: another bucket or key, without permission. */
export class StorageRefusedError extends ExpectedError {
  constructor(reason: string, cause: unknown) {
    super(`The storage refuses with ${reason}. Check S3_BUCKET and what its key may do.`, { cause });
  }
}
