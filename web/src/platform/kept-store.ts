import { create } from 'zustand';
import { persist, type PersistStorage } from 'zustand/middleware';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { inStore, keepAgain } from './browser-store.ts';
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
  /** A state without what is too old to be kept, in a page that stays open so long. */
  drop?: (state: State, isOld: (key: string) => boolean) => State;
};

/** Whether was read what this browser kept, or is known that it keeps nothing. */
type Read = { isRead: boolean };
/** A piece as it is kept, `at` which time it was written; what lasts has no time. */
export type Entry = { key: string; at: number; value: unknown };
/** Also what another version of these pages kept, without a time. */
export const isOld = ({ at }: Pick<Entry, 'at'>): boolean => !(Date.now() - at < MEDIA_TTL_SECONDS * 1000);

/** Whose stores these are; null while nobody is signed in, when nothing is kept. */
let owner: string | null = null;
const opens: (() => void)[] = [];
const drops: ((isOld: (key: string) => boolean) => void)[] = [];
whenEnded('session', () => (owner = null));

/** Somebody signed in: the stores keep what is theirs from now on, and take up what this browser kept of them. */
export function openKeptStores(userId: string): void {
  if (owner === userId) return;
  owner = userId;
  keepAgain(userId);
  for (const open of opens) open();
}

/** Takes what is too old out of this page, if it is this person's. */
export function dropOld(userId: string, keys: readonly string[]): void {
  if (owner === userId) for (const drop of drops) drop((key) => keys.includes(key));
}

/**
 * A store that outlives its page, in the browser's database of the person who is signed in. A browser that keeps
 * nothing, or no more, takes this convenience away and nothing else.
 */
export function createKeptStore<State extends object>(keeping: Keeping<State & Read>) {
  const { name, initial, split, join, afterSession = (state) => state, drop = (state) => state } = keeping;
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
  drops.push((isGone) =>
    store.setState((state) => drop(state, (key) => isGone(`${name} ${key}`) && storage.isOld(key)), true),
  );
  if (owner !== null) open();
  return store;
}

type Storage = PersistStorage<Pieces> & { isOld: (key: string) => boolean };

/** Writes each piece when it changes, at once: a page may go away right behind it. */
function createStorage({ isLasting = () => false }: Pick<Keeping<never>, 'isLasting'>): Storage {
  let written: Pieces = new Map();
  const writtenAt = new Map<string, number>();
  const write = (ask: (store: IDBObjectStore) => IDBRequest) =>
    void (owner !== null && inStore(owner, 'readwrite', ask).catch(() => undefined)); // Full, or forbidden.
  return {
    async getItem(name) {
      if (owner === null) return null;
      const ofName = IDBKeyRange.bound(`${name} `, `${name} \uffff`);
      const asked = owner;
      const all = await inStore<Entry[]>(asked, 'readonly', (store) => store.getAll(ofName));
      if (owner !== asked) return { state: new Map(), version: 0 }; // It is somebody else's page by now.
      const kept = all
        .filter((entry) => !isOld(entry))
        .map(({ key, value }) => [key.slice(name.length + 1), value] as const);
      written = new Map([...kept, ...written]);
      return { state: new Map(kept), version: 0 };
    },
    setItem(name, { state }) {
      if (owner === null) return;
      for (const [key, value] of state)
        if (written.get(key) !== value) {
          const at = isLasting(key) ? Infinity : Date.now();
          writtenAt.set(key, at);
          write((store) => store.put({ key: `${name} ${key}`, at, value } satisfies Entry));
        }
      for (const key of written.keys()) if (!state.has(key)) write((store) => store.delete(`${name} ${key}`));
      written = state;
    },
    /** Forgets what was written, not what is kept: that is its person's. */
    removeItem() {
      written = new Map();
    },
    /** False for what this page has written since: perhaps it is not kept yet. */
    isOld: (key: string) => isOld({ at: writtenAt.get(key) ?? 0 }),
  };
}
