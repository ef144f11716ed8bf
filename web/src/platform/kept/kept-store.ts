import { create } from 'zustand';
import { persist, type PersistStorage } from 'zustand/middleware';
import { inStore, keysFrom, type Entry } from './browser-store.ts';
import { whenEnded } from './client-store.ts';

/** What is kept of a state, by key: a typed letter must not write a photo again. */
export type Pieces = ReadonlyMap<string, unknown>;

type Keeping<State> = {
  name: string;
  initial: State;
  /** The pieces of a state. What has not changed is the same object as before. */
  split: (state: State) => Pieces;
  join: (state: State, kept: Pieces) => State;
  /** What is left of it in this page once the session is over; all of it where nothing is said. */
  afterSession?: (state: State) => State;
  /** What is kept until its person signs out; the rest goes after 48 hours. */
  isLasting?: (key: string) => boolean;
};

/** Whether was read what this browser kept, or is known that it keeps nothing. */
type Read = { isRead: boolean };

/** Whose stores these are; null while nobody is signed in, when nothing is kept. */
let owner: string | null = null;
const opens: (() => void)[] = [];
whenEnded('session', () => (owner = null));

/** Somebody signed in: the stores keep what is theirs from now on, and take up what this browser kept of them. */
export function openKeptStores(userId: string): void {
  if (owner === userId) return;
  owner = userId;
  for (const open of opens) open();
}

/** Forgets all that is kept of a person who leaves, and keeps no more. @throws when the browser would not forget it */
export async function forgetKept(userId: string): Promise<void> {
  owner = null;
  // As pages up to 0.1.0 kept it: one that is still open may have made it again.
  indexedDB.deleteDatabase(`plinth-${userId}`);
  await inStore('readwrite', (store) => store.delete(keysFrom(userId)));
}

/**
 * A store that outlives its page, in this browser's database, under the person who is signed in. A browser that keeps
 * nothing, or no more, takes this convenience away and nothing else.
 */
export function createKeptStore<State extends object>(keeping: Keeping<State & Read>) {
  const { name, initial, split, join, afterSession = (state) => state } = keeping;
  const storage = createStorage(keeping);
  const store = create<State & Read>()(
    persist(() => initial, {
      name,
      storage,
      skipHydration: true,
      partialize: split,
      merge: (kept, state) => join(state, kept as Pieces),
      onRehydrateStorage: () => () => store.setState({ isRead: true } as Partial<State & Read>),
    }),
  );
  whenEnded('session', () => store.setState(afterSession(store.getState()), true));
  whenEnded('person', () => {
    storage.removeItem(name);
    store.setState(initial, true);
  });
  const open = () => void store.persist.rehydrate();
  opens.push(open);
  if (owner !== null) open();
  return store;
}

/** Writes each piece when it changes, at once: a page may go away right behind it. */
function createStorage({ isLasting = () => false }: Pick<Keeping<never>, 'isLasting'>): PersistStorage<Pieces> {
  let written: Pieces = new Map();
  const write = (ask: (store: IDBObjectStore) => IDBRequest) => {
    inStore('readwrite', ask).catch(() => undefined); // Full, or forbidden.
  };
  return {
    async getItem(name) {
      if (owner === null) return null;
      const asked = owner;
      const own = `${asked} ${name}`;
      const entries = await inStore<Entry[]>('readonly', (store) => store.getAll(keysFrom(own)));
      if (owner !== asked) return { state: new Map(), version: 0 }; // It is somebody else's page by now.
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
    /** Forgets what was written, not what is kept: that is its person's. */
    removeItem() {
      written = new Map();
    },
  };
}
