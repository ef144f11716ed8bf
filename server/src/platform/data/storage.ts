import type { Readable } from 'node:stream';

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number };
export type StoredObject = { key: string; changedAt: Date };

/** Private files by key. An object is complete or not there. */
export type Storage = {
  put: (key: string, content: Uint8Array, contentType: string) => Promise<void>;
  /** The bytes, or undefined when there is no such object. */
  read: (key: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** All bytes at once, or undefined when there is no such object. */
  readWhole: (key: string) => Promise<Buffer | undefined>;
  /** Deletes the object; one that is gone already is fine. */
  remove: (key: string) => Promise<void>;
  list: () => AsyncIterable<StoredObject>;
  /** @throws when the storage cannot be used */
  check: () => Promise<void>;
};

/** Deletes what is of no use any more. Returns how many stay: those have no row, and go with a sweep for orphans. */
export async function removeFiles(storage: Pick<Storage, 'remove'>, keys: readonly string[]): Promise<number> {
  const removed = await Promise.allSettled(keys.map((key) => storage.remove(key)));
  return removed.filter(({ status }) => status === 'rejected').length;
}

/** Deletes an object, or answers why that one cannot be. @throws StorageAwayError */
export const tryRemove = (storage: Storage, key: string): Promise<Error | undefined> =>
  storage.remove(key).then(
    () => undefined,
    (error: Error) => {
      if (error instanceof StorageAwayError) throw error;
      return error;
    },
  );

/** The storage cannot be reached, says nothing, or has a fault of its own: the caller may try again later. */
export class StorageAwayError extends Error {
  constructor(cause: unknown) {
    super('the storage is away', { cause });
  }
}
