/** What this browser keeps of everybody who used it: pieces, by keys that begin with the id of their person. */
const DATABASE = 'plinth';
const STORE = 'kept';
/** Rises with the shape of what is kept, and with what there is to choose from: then all of it is dropped. */
const VERSION = 8;

/** Some browsers never answer at times; a page goes on without what was kept then. */
const OPEN_MS = 2000;

/** A piece as it is kept, `at` which time it was written; what lasts until its person signs out has no end of time. */
export type Entry = { key: string; at: number; value: unknown };

export const keysFrom = (begin: string) => IDBKeyRange.bound(`${begin} `, `${begin} \uffff`);

/** One question. @throws where the browser keeps nothing, as in a private window */
export async function inStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const transaction = (await (opened ?? keepOpen())).transaction(STORE, mode);
  return new Promise((resolve, reject) => {
    const request = ask(transaction.objectStore(STORE));
    // At once, so that it is done also where the page goes away now; a photo has to be there until it is done.
    if (mode === 'readwrite') transaction.commit();
    transaction.oncomplete = () => resolve(request.result as Result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no pictures'));
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser has no room'));
  });
}

/** Deletes what was written until this time, whoever's it is: they may never come back. */
export async function sweepKept(untilMs: number): Promise<void> {
  dropEarlier().catch(() => undefined); // This browser does not say what it keeps.
  const transaction = (await (opened ?? keepOpen())).transaction(STORE, 'readwrite');
  const old = transaction.objectStore(STORE).index('at').openCursor(IDBKeyRange.upperBound(untilMs));
  old.onsuccess = () => {
    old.result?.delete();
    old.result?.continue();
  };
}

/** The open database: a page that goes away may have no time to open one for what was done last. */
let opened: Promise<IDBDatabase> | null = null;

function keepOpen(): Promise<IDBDatabase> {
  const forget = () => void (opened = null);
  opened = open().then((database) => {
    database.onclose = forget;
    // Another tab has a newer version of this page.
    database.onversionchange = () => {
      forget();
      database.close();
    };
    return database;
  });
  opened.catch(forget);
  return opened;
}

/** Clears what pages leave to each other beside it. @throws where the browser forbids it */
export async function clearWebStorages(): Promise<void> {
  sessionStorage.clear();
  localStorage.clear();
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      const { result } = request;
      if (result.objectStoreNames.contains(STORE)) result.deleteObjectStore(STORE);
      result.createObjectStore(STORE, { keyPath: 'key' }).createIndex('at', 'at');
    };
    let isLate = false;
    setTimeout(() => {
      isLate = true;
      reject(new Error('the browser does not answer'));
    }, OPEN_MS);
    // One that is not waited for any more would bar the next version.
    request.onsuccess = () => (isLate ? request.result.close() : resolve(request.result));
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no pictures'));
  });
}

/** Deletes the databases of pages up to 0.1.0, one for each person; one that is still open makes its own again. */
async function dropEarlier(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases())
    if (name.startsWith(`${DATABASE}-`)) indexedDB.deleteDatabase(name);
}
