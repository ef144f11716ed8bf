import type { ItemFacts } from '@plinth/contract/item-facts';
import { createKeptStore } from '../platform/kept/kept-store.ts';

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
  /** In pixels as they are written, upright or lying; null where nobody can read it, absent where nobody looked. */
  size?: { width: number; height: number } | null;
  /** Empty where it has none of its own, as the words. */
  sku: string;
  words: string;
  facts?: PhotoFacts;
  /** Of a list that names it. */
  line?: number;
  /** The tool's field that the words go into; null where it has none, and before it is known. */
  wordsField: string | null;
  /** `settled` once its run was closed: it stays to be shown, in its place. */
  state: 'waiting' | 'sent' | 'refused' | 'settled';
  /** In credits, as of the start of its run; absent before it. */
  price?: number;
  /** Whether it was sent and may be there, paid: then it is sent again whatever the credits are. */
  isUnanswered?: boolean;
  /** How often the server failed at it. */
  tries?: number;
  itemId: string | null;
  refusal: string | null;
  addedAt: number;
  place: number;
};

export const isBegun = ({ runId, state }: Photo): boolean => runId !== NOT_BEGUN && state !== 'settled';

/** Photos in the order in which they were chosen, and their bytes by id. */
export type Photos = { photos: readonly Photo[]; files: Readonly<Record<string, Blob>>; isRead: boolean };

/** The photos of all catalogues. Bytes are pieces of their own: written once, while what is said of a photo changes. */
export const usePhotos = createKeptStore<Photos>({
  name: 'photos',
  initial: { photos: [], files: {}, isRead: false },
  split: ({ photos, files }) =>
    new Map<string, unknown>([
      ...photos.map((photo) => [`photo ${photo.id}`, photo] as const),
      ...Object.entries(files).map(([id, file]) => [`file ${id}`, file] as const),
    ]),
  join: ({ photos, files, isRead }, kept) => {
    const read: Photo[] = [];
    const filesRead: Record<string, Blob> = {};
    for (const [key, piece] of kept)
      if (key.startsWith('photo ')) read.push(piece as Photo);
      else filesRead[key.replace('file ', '')] = piece as Blob;
    const runs = new Set(read.filter(isBegun).map(({ runId }) => runId));
    // Another tab may have sent photos of a run since, or exchanged some, or left some out.
    const own = photos.filter(({ id, runId }) => !runs.has(runId) && !read.some((one) => one.id === id));
    return { photos: inOrder([...read, ...own]), files: { ...filesRead, ...files }, isRead };
  },
});

/** As their list has them, and then as they were chosen. */
export const inOrder = (photos: readonly Photo[]) =>
  photos.toSorted((a, b) => lineOf(a) - lineOf(b) || a.addedAt - b.addedAt || a.place - b.place);
const lineOf = ({ line = Number.MAX_SAFE_INTEGER }: Photo) => line;
