import { create } from 'zustand';
import { persist, type PersistStorage } from 'zustand/middleware';
import { inStore, keysFrom, type Entry } from './browser-store.ts';

/** The stored parts of a state by key: typing a letter must not write a photo again. */
export type Pieces = ReadonlyMap<string, unknown>;

type Keeping<State> = {
  name: string;
  initial: State;
  /** Splits a state into parts. An unchanged part is the same object as before. */
  split: (state: State) => Pieces;
  join: (state: State, kept: Pieces) => State;
  /** Parts stored until the user signs out; the others expire after 48 hours. */
  isLasting?: (key: string) => boolean;
};

/** True once the stored state was read or the browser is known to have no storage. */
type Read = { isRead: boolean };

/** Id of this page's user, or null before sign-in and after sign-out, when nothing is stored. */
let owner: string | null = null;
const opens: (() => void)[] = [];

/** After sign-in: restores what this browser stored for the user and stores changes from now on. */
export function openKeptStores(userId: string): void {
  owner = userId;
  for (const open of opens) open();
}

/** Deletes everything stored for a user who signs out, and stops storing. @throws if the browser fails to delete */
export async function forgetKept(userId: string): Promise<void> {
  owner = null;
  // Versions up to 0.1.0 stored this, and an open page of such a version may have created it again.
  indexedDB.deleteDatabase(`plinth-${userId}`);
  await inStore('readwrite', (store) => store.delete(keysFrom(userId)));
}

/**
 * A store that outlives its page, in this browser's database, for the user who is signed in. Without storage only this
 * convenience is lost.
 */
export function createKeptStore<State extends object>(keeping: Keeping<State & Read>) {
  const { name, initial, split, join } = keeping;
  const store = create<State & Read>()(
    persist(() => initial, {
      name,
      storage: createStorage(keeping),
      skipHydration: true,
      partialize: split,
      merge: (kept, state) => join(state, kept as Pieces),
      onRehydrateStorage: () => () => store.setState({ isRead: true } as Partial<State & Read>),
    }),
  );
  const open = () => void store.persist.rehydrate();
  opens.push(open);
  if (owner !== null) open();
  return store;
}

/** Writes each part as soon as it changes, because the page may close right after. */
function createStorage({ isLasting = () => false }: Pick<Keeping<never>, 'isLasting'>): PersistStorage<Pieces> {
  let written: Pieces = new Map();
  const write = (ask: (store: IDBObjectStore) => IDBRequest) => {
    inStore('readwrite', ask).catch(() => undefined); // Storage full or forbidden.
  };
  return {
    async getItem(name) {
      if (owner === null) return null;
      const own = `${owner} ${name}`;
      const entries = await inStore<Entry[]>('readonly', (store) => store.getAll(keysFrom(own)));
      const kept = new Map(entries.map(({ key, value }) => [key.slice(own.length + 1), value]));
      written = new Map([...kept, ...written]);
      return { state: kept, version: 0 };
    },
    setItem(name, { state }) {
      if (owner === null) return;
      const own = `${owner} ${name}`;
      for (const [key, value] of state)
        if (written.get(key) !== value) {
          const at = isLasting(key) ? Infinity : Date.now();
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
