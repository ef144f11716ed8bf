/** What this browser keeps of a person, in one database each: the pieces of stores, by their keys. */
const STORE = 'kept';
const VERSION = 5;
export const databaseName = (userId: string) => `plinth-${userId}`;

/**
 * One question, or with `isLast` false the first of several in one go.
 * @throws where the browser keeps nothing, as in a private window
 */
export async function inStore<Result>(
  userId: string,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
  isLast = true,
): Promise<Result> {
  if (forgotten.has(userId)) throw new Error('signed out: nothing is kept any more');
  const database = await (opened.get(userId) ?? keepOpen(userId));
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    // At once, so that it is done also where the page goes away now; a photo has to be there until it is done.
    if (mode === 'readwrite' && isLast) transaction.commit();
    transaction.oncomplete = () => resolve(request.result as Result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no pictures'));
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser has no room'));
  });
}

/** Persons who left this page: a late write must not make their database anew. */
const forgotten = new Set<string>();

export function keepAgain(userId: string): void {
  forgotten.delete(userId);
}

/** Open databases by person: a page that goes away may have no time to open one for what was done last. */
const opened = new Map<string, Promise<IDBDatabase>>();

function keepOpen(userId: string): Promise<IDBDatabase> {
  const forget = () => void opened.delete(userId);
  const opening = open(userId).then((database) => {
    database.onclose = forget;
    // Somebody deletes it, here or in another tab, or has a newer version of this page.
    database.onversionchange = () => {
      forget();
      database.close();
    };
    return database;
  });
  opened.set(userId, opening);
  opening.catch(forget);
  return opening;
}

/** Forgets everything; called when a person logs out. @throws when the browser would not delete it */
export function forgetKept(userId: string): Promise<void> {
  forgotten.add(userId);
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName(userId));
    // Blocked, it waits for another tab, which leaves as well.
    request.onsuccess = request.onblocked = () => resolve();
    request.onerror = () => reject(request.error ?? new Error('the browser keeps what it had'));
  });
}

/** Clears what pages leave to each other beside it. @throws where the browser forbids it */
export async function clearWebStorages(): Promise<void> {
  sessionStorage.clear();
  localStorage.clear();
}

function open(userId: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName(userId), VERSION);
    request.onupgradeneeded = () => {
      const { result } = request;
      for (const name of result.objectStoreNames) if (name !== STORE) result.deleteObjectStore(name);
      if (!result.objectStoreNames.contains(STORE)) result.createObjectStore(STORE, { keyPath: 'key' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no pictures'));
  });
}
