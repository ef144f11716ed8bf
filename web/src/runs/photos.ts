import type { ItemFacts } from '@plinth/contract/item-facts';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { inStore } from '../platform/browser-store.ts';

/** The run of photos that were chosen for one that has not begun. */
export const NOT_BEGUN = 'new';

/** What a list says of a photo for shops, as it is written there. */
export type PhotoFacts = Partial<Record<keyof ItemFacts, string>>;

/** A photo for a catalogue, as this browser knows it. Sizes in bytes. */
export type Photo = {
  /** Also the Idempotency-Key that it is sent with, as often as that takes. */
  id: string;
  runId: string;
  name: string;
  path: string;
  type: string;
  bytes: number;
  /** In pixels as they are written, upright or lying; absent where the file does not say. */
  size?: { width: number; height: number };
  /** Empty where it has none of its own, as the words. */
  sku: string;
  words: string;
  facts?: PhotoFacts;
  /** The tool's field that the words go into; null where it has none, and before it is known. */
  wordsField: string | null;
  /** `settled` once its run was closed: it stays only to be marked. */
  state: 'waiting' | 'sent' | 'refused' | 'settled';
  itemId: string | null;
  refusal: string | null;
  addedAt: number;
  place: number;
};

/** Whether it belongs to a run that still takes photos. */
export const isBegun = ({ runId, state }: Photo): boolean => runId !== NOT_BEGUN && state !== 'settled';

export type PhotoStore = {
  /** All photos of the last 48 hours, in the order in which they were chosen. */
  list: () => Promise<Photo[]>;
  /** Keeps what is said of photos. @throws where the browser keeps nothing */
  keep: (photos: readonly Photo[]) => Promise<void>;
  /** Keeps the bytes of one, which are written once. @throws where the browser keeps nothing, or not so much */
  keepFile: (photoId: string, file: Blob) => Promise<void>;
  readFile: (photoId: string) => Promise<Blob | undefined>;
  drop: (photoIds: readonly string[]) => Promise<void>;
};

type KeptFile = { id: string; blob: Blob };

export function openPhotoStore(userId: string, now: () => number = Date.now): PhotoStore {
  const drop = async (photoIds: readonly string[]) => {
    if (photoIds.length === 0) return;
    for (const name of ['run-photos', 'run-files'] as const)
      await inStore(userId, name, 'readwrite', (store) => inAll(photoIds, (id) => store.delete(id)));
  };
  return {
    async list() {
      const all = await inStore<Photo[]>(userId, 'run-photos', 'readonly', (store) => store.getAll());
      const old = all.filter(({ addedAt }) => now() - addedAt >= MEDIA_TTL_SECONDS * 1000);
      await drop(old.map(({ id }) => id));
      return all.filter((photo) => !old.includes(photo)).sort((a, b) => a.addedAt - b.addedAt || a.place - b.place);
    },
    async keep(photos) {
      if (photos.length > 0)
        await inStore(userId, 'run-photos', 'readwrite', (store) => inAll(photos, (photo) => store.put(photo)));
    },
    async keepFile(id, blob) {
      await inStore(userId, 'run-files', 'readwrite', (store) => store.put({ id, blob } satisfies KeptFile));
    },
    async readFile(photoId) {
      return (await inStore<KeptFile | undefined>(userId, 'run-files', 'readonly', (store) => store.get(photoId)))
        ?.blob;
    },
    drop,
  };
}

function inAll<One>(all: readonly One[], ask: (one: One) => IDBRequest): IDBRequest {
  const [first, ...rest] = all;
  return rest.reduce((_before, one) => ask(one), ask(first as One));
}
