import { create } from 'zustand';
import { persist, type PersistStorage } from 'zustand/middleware';
import { withStore, keyRange, type Entry } from './database.ts';

/** The stored parts of a state by key: typing a letter must not write a photo again. */
export type Pieces = ReadonlyMap<string, unknown>;

type PersistentOptions<State> = {
  name: string;
  initial: State;
  /** Splits a state into parts. An unchanged part is the same object as before. */
  split: (state: State) => Pieces;
  join: (state: State, stored: Pieces) => State;
  /** Parts stored until the user signs out; the others expire after 48 hours. */
  isPermanent?: (key: string) => boolean;
};

/** True once the stored state was read or the browser is known to have no storage. */
type Read = { isRead: boolean };

/** Id of this page's user, or null before sign-in and after sign-out, when nothing is stored. */
let owner: string | null = null;
const rehydrations: (() => void)[] = [];

/** After sign-in: restores what this browser stored for the user and stores changes from now on. */
export function openPersistentStores(userId: string): void {
  owner = userId;
  for (const open of rehydrations) open();
}

/** Deletes everything stored for a user who signs out, and stops storing. @throws if the browser fails to delete */
export async function deleteStored(userId: string): Promise<void> {
  owner = null;
  // Versions up to 0.1.0 stored this, and an open page of such a version may have created it again.
  indexedDB.deleteDatabase(`plinth-${userId}`);
  await withStore('readwrite', (store) => store.delete(keyRange(userId)));
}

/**
 * A store that outlives its page, in this browser's database, for the user who is signed in. Without storage only this
 * convenience is lost.
 */
export function createPersistentStore<State extends object>(keeping: PersistentOptions<State & Read>) {
  const { name, initial, split, join } = keeping;
  const store = create<State & Read>()(
    persist(() => initial, {
      name,
      storage: createStorage(keeping),
      skipHydration: true,
      partialize: split,
      merge: (stored, state) => join(state, stored as Pieces),
      onRehydrateStorage: () => () => store.setState({ isRead: true } as Partial<State & Read>),
    }),
  );
  const open = () => void store.persist.rehydrate();
  rehydrations.push(open);
  if (owner !== null) open();
  return store;
}

/** Writes each part as soon as it changes, because the page may close right after. */
function createStorage({
  isPermanent = () => false,
}: Pick<PersistentOptions<never>, 'isPermanent'>): PersistStorage<Pieces> {
  let written: Pieces = new Map();
  const write = (ask: (store: IDBObjectStore) => IDBRequest) => {
    withStore('readwrite', ask).catch(() => undefined); // Storage full or forbidden.
  };
  return {
    async getItem(name) {
      if (owner === null) return null;
      const own = `${owner} ${name}`;
      const entries = await withStore<Entry[]>('readonly', (store) => store.getAll(keyRange(own)));
      const stored = new Map(entries.map(({ key, value }) => [key.slice(own.length + 1), value]));
      written = new Map([...stored, ...written]);
      return { state: stored, version: 0 };
    },
    setItem(name, { state }) {
      if (owner === null) return;
      const own = `${owner} ${name}`;
      for (const [key, value] of state)
        if (written.get(key) !== value) {
          const at = isPermanent(key) ? Infinity : Date.now();
          write((store) => store.put({ key: `${own} ${key}`, at, value } satisfies Entry));
        }
      for (const key of written.keys()) if (!state.has(key)) write((store) => store.delete(`${own} ${key}`));
      written = state;
    },
    /** Forgets what was read. The stored entries stay. */
    removeItem() {
      written = new Map();
    },
  };
}
