/** Entries that this browser stores for all its users. Keys begin with the user's id. */
const DATABASE = 'plinth';
const STORE = 'kept';
/** Increases when the stored shape or the available choices change; then all entries are dropped. */
const VERSION = 8;

/** Some browsers sometimes never answer; the page then goes on without the stored data. */
const OPEN_MS = 2000;

/** A stored entry with its time `at`; entries that last until sign-out have none. */
export type Entry = { key: string; at: number; value: unknown };

export const keyRange = (begin: string) => IDBKeyRange.bound(`${begin} `, `${begin} \uffff`);

/** Runs one request. @throws if the browser has no storage, as in a private window */
export async function withStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const transaction = (await (opened ?? openShared())).transaction(STORE, mode);
  return new Promise((resolve, reject) => {
    const request = ask(transaction.objectStore(STORE));
    // Commits at once, because the page may be going away; a photo must be available until this is done.
    if (mode === 'readwrite') transaction.commit();
    transaction.oncomplete = () => resolve(request.result as Result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no pictures'));
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser has no room'));
  });
}

/** Deletes all users' entries written until this time: their users may never come back. */
export async function deleteExpired(untilMs: number): Promise<void> {
  deleteLegacyDatabases().catch(() => undefined); // The browser cannot list its databases.
  const transaction = (await (opened ?? openShared())).transaction(STORE, 'readwrite');
  const old = transaction.objectStore(STORE).index('at').openCursor(IDBKeyRange.upperBound(untilMs));
  old.onsuccess = () => {
    old.result?.delete();
    old.result?.continue();
  };
}

/** The open database: a closing page may have no time to open one for its last write. */
let opened: Promise<IDBDatabase> | null = null;

function openShared(): Promise<IDBDatabase> {
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

/** Clears the notes between pages as well. @throws if the browser forbids storage */
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
    // An open connection nobody waits for would block the next version.
    request.onsuccess = () => (isLate ? request.result.close() : resolve(request.result));
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no pictures'));
  });
}

/** Deletes the databases of versions up to 0.1.0, one per user. An open page of such a version recreates its own. */
async function deleteLegacyDatabases(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases())
    if (name.startsWith(`${DATABASE}-`)) indexedDB.deleteDatabase(name);
}
