import type { ItemFacts } from '@plinth/contract/item-facts';
import { createPersistentStore } from '../platform/storage/persistent-store.ts';

/** Run id of photos chosen for a run that has not started. */
export const NOT_STARTED = 'new';

/** A list's data about a photo for shops, as written there. */
export type PhotoFacts = Partial<Record<keyof ItemFacts, string>>;

/** A photo of a catalogue, as known to this browser. Sizes in bytes. */
export type Photo = {
  /** Also its Idempotency-Key, for every attempt. */
  id: string;
  runId: string;
  name: string;
  path: string;
  type: string;
  bytes: number;
  /** In pixels as stored, before orientation; null if unreadable, absent if not read. */
  size?: { width: number; height: number } | null;
  /** Empty if it has none of its own, like the words. */
  sku: string;
  words: string;
  facts?: PhotoFacts;
  /** From the list that names it. */
  line?: number;
  /** The tool's field for the words; null if it has none or before it is known. */
  wordsField: string | null;
  /** `settled` once its run was closed: it stays visible in its place. */
  state: 'waiting' | 'sent' | 'refused' | 'settled';
  /** In credits, as of the start of its run; absent before. */
  price?: number;
  /** True if it was sent and may have arrived and been charged: then it is sent again whatever the balance. */
  isUnanswered?: boolean;
  /** Number of server errors for it. */
  tries?: number;
  itemId: string | null;
  refusal: string | null;
  addedAt: number;
  place: number;
};

export const isStarted = ({ runId, state }: Photo): boolean => runId !== NOT_STARTED && state !== 'settled';

/** Photos in the order in which they were chosen, and their bytes by id. */
export type Photos = { photos: readonly Photo[]; files: Readonly<Record<string, Blob>>; isRead: boolean };

/** The photos of all catalogues. Bytes are separate entries: written once, while a photo's data changes. */
export const usePhotos = createPersistentStore<Photos>({
  name: 'photos',
  initial: { photos: [], files: {}, isRead: false },
  split: ({ photos, files }) =>
    new Map<string, unknown>([
      ...photos.map((photo) => [`photo ${photo.id}`, photo] as const),
      ...Object.entries(files).map(([id, file]) => [`file ${id}`, file] as const),
    ]),
  join: ({ photos, files, isRead }, stored) => {
    const read: Photo[] = [];
    const filesRead: Record<string, Blob> = {};
    for (const [key, piece] of stored)
      if (key.startsWith('photo ')) read.push(piece as Photo);
      else filesRead[key.replace('file ', '')] = piece as Blob;
    const runs = new Set(read.filter(isStarted).map(({ runId }) => runId));
    // Another tab may have sent, replaced or removed photos of a run since.
    const own = photos.filter(({ id, runId }) => !runs.has(runId) && !read.some((one) => one.id === id));
    return { photos: inOrder([...read, ...own]), files: { ...filesRead, ...files }, isRead };
  },
});

/** In the order of their list, then in the order chosen. */
export const inOrder = (photos: readonly Photo[]) =>
  photos.toSorted((a, b) => lineOf(a) - lineOf(b) || a.addedAt - b.addedAt || a.place - b.place);
const lineOf = ({ line = Number.MAX_SAFE_INTEGER }: Photo) => line;
