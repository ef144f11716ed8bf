import { databaseName, inStore } from './browser-store.ts';
import { dropOld, isOld, type Entry } from './kept-store.ts';

const EVERY_MS = 10 * 60_000;

/** As long as this page is open, nothing is kept for longer than the privacy policy says. */
export function keepSwept(): void {
  const sweep = () => void sweepKept().catch(() => undefined); // This browser keeps nothing, or does not say what.
  sweep();
  setInterval(sweep, EVERY_MS);
}

/** Deletes what is too old of everybody who used this browser: they may never come back. */
export async function sweepKept(): Promise<void> {
  const ofNobody = databaseName('');
  const names = (await indexedDB.databases()).map(({ name = '' }) => name).filter((name) => name.startsWith(ofNobody));
  await Promise.allSettled(names.map((name) => sweepOf(name.slice(ofNobody.length))));
}

async function sweepOf(userId: string): Promise<void> {
  let keys: string[] = [];
  const ask = (store: IDBObjectStore) => {
    const reading = store.getAll() as IDBRequest<Entry[]>;
    reading.onsuccess = () => {
      keys = reading.result.filter(isOld).map(({ key }) => key);
      for (const key of keys) store.delete(key);
    };
    return reading;
  };
  // In one go: what is written anew in between is not old any more.
  await inStore(userId, 'readwrite', ask, false);
  dropOld(userId, keys);
}
