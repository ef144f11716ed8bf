import { useMemo } from 'react';
import type { ItemFacts } from '@plinth/contract/item-facts';
import type { RunItem } from '@plinth/contract/runs';
import { inStore } from '../platform/browser-store.ts';
import { createKeptStore } from '../platform/kept-store.ts';

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

export const FRESH = {
  sku: '',
  words: '',
  wordsField: null,
  state: 'waiting',
  itemId: null,
  refusal: null,
  place: 0,
} as const;

export const isBegun = ({ runId, state }: Photo): boolean => runId !== NOT_BEGUN && state !== 'settled';

/** Photos in the order in which they were chosen, and their bytes by id. */
type Photos = { photos: readonly Photo[]; files: Readonly<Record<string, Blob>>; isRead: boolean };

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
    const read = ofKind<Photo>(kept, 'photo').map(([, photo]) => photo);
    const runs = new Set(read.filter(isBegun).map(({ runId }) => runId));
    // Another tab may have sent photos of a run since, or exchanged some, or left some out.
    const own = photos.filter(({ id, runId }) => !runs.has(runId) && !read.some((one) => one.id === id));
    return {
      photos: inOrder([...read, ...own]),
      files: { ...Object.fromEntries(ofKind(kept, 'file')), ...files },
      isRead,
    };
  },
  afterSession: (photos) => photos,
  isLasting: () => false,
});

function ofKind<Value>(kept: ReadonlyMap<string, unknown>, kind: string): [id: string, Value][] {
  return [...kept].flatMap(([key, value]): [string, Value][] =>
    key.startsWith(`${kind} `) ? [[key.slice(kind.length + 1), value as Value]] : [],
  );
}

const inOrder = (photos: readonly Photo[]) => photos.toSorted((a, b) => a.addedAt - b.addedAt || a.place - b.place);

/** Adds photos, or replaces those with the same id; `files` are the bytes of new ones. */
export function putPhotos(photos: readonly Photo[], files: Photos['files'] = {}): void {
  usePhotos.setState((known) => {
    const byId = new Map([...known.photos, ...photos].map((photo) => [photo.id, photo]));
    return { photos: inOrder([...byId.values()]), files: { ...known.files, ...files } };
  });
}

export function dropPhotos(photoIds: readonly string[]): void {
  usePhotos.setState(({ photos, files }) => ({
    photos: photos.filter(({ id }) => !photoIds.includes(id)),
    files: Object.fromEntries(Object.entries(files).filter(([id]) => !photoIds.includes(id))),
  }));
}

type Replacement = { id: string; name: string; file: Blob };

/** Takes a photo that was sent in place of another one, so that it can be marked, too. */
export function replacePhoto(runId: string, { id: itemId, sku }: RunItem, { id, name, file }: Replacement): void {
  const state = dropPhotosOf([itemId])[0]?.state ?? 'settled';
  const said = { ...FRESH, id, runId, name, path: name, type: file.type, bytes: file.size };
  putPhotos([{ ...said, sku: sku ?? '', state, itemId, addedAt: Date.now() }], { [id]: file });
}

/** Forgets the photos that were sent as these items, and returns them. */
export function dropPhotosOf(itemIds: readonly string[]): Photo[] {
  const photos = usePhotos.getState().photos.filter(({ itemId }) => itemId !== null && itemIds.includes(itemId));
  dropPhotos(photos.map(({ id }) => id));
  return photos;
}

/** Whether this browser has their bytes by now: a private window keeps nothing, and a full one not so much. */
export async function areKept(userId: string, photos: readonly Photo[]): Promise<boolean> {
  const files = IDBKeyRange.bound('photos file ', 'photos file \uffff');
  const count = await inStore<number>(userId, 'readonly', (store) => store.count(files)).catch(() => 0);
  return count >= photos.length;
}

export const listNew = (photos = usePhotos.getState().photos) => photos.filter(({ runId }) => runId === NOT_BEGUN);

/** The photos of a run that are to be sent or were, once was read what this browser kept. */
export function useBegunPhotos(runId: string) {
  const { photos, isRead } = usePhotos();
  const begun = useMemo(() => photos.filter((photo) => photo.runId === runId && isBegun(photo)), [photos, runId]);
  return { photos: begun, isRead };
}

/** Which photo was sent as which item, by the item, in the order of their list: those whose bytes are there. */
export function usePhotoIds(runId: string): ReadonlyMap<string, string> {
  const { photos, files } = usePhotos();
  return useMemo(() => {
    const sent = photos.filter((photo) => photo.runId === runId && photo.id in files);
    return new Map(sent.flatMap(({ id, itemId }) => (itemId === null ? [] : [[itemId, id] as const])));
  }, [photos, files, runId]);
}

export function usePhotoFile(photoId: string | undefined): Blob | undefined {
  return usePhotos(({ files }) => (photoId === undefined ? undefined : files[photoId]));
}
