import { useMemo } from 'react';
import type { Run } from '@plinth/contract/runs';
import { withStore, keyRange } from '../platform/storage/database.ts';
import { inOrder, usePhotos, type Photo, type Photos } from './photos.ts';

// Separate from the store, which every page loads: most users have no photos in it.

export const FRESH = {
  sku: '',
  words: '',
  wordsField: null,
  state: 'waiting',
  itemId: null,
  refusal: null,
  place: 0,
} as const;

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

/** Replaces an item's photo, or removes it, if this browser has it. */
export function replacePhotoOf(itemId: string, file: Blob | null): void {
  const photo = usePhotos.getState().photos.find((one) => one.itemId === itemId);
  if (photo === undefined) return;
  if (file === null) dropPhotos([photo.id]);
  else putPhotos([], { [photo.id]: file });
}

/** True if this browser has stored their bytes: a private window stores nothing, a full disk not everything. */
export async function areStored(userId: string, photos: readonly Photo[]): Promise<boolean> {
  const files = `${userId} photos file`;
  const kept = withStore<string[]>('readonly', (store) => store.getAllKeys(keyRange(files)));
  const keys: readonly string[] = await kept.catch(() => []);
  return photos.every(({ id }) => keys.includes(`${files} ${id}`));
}

/** Returns all photos of a run known to this browser, or of the run not yet started, in the order of their list. */
export const photosOf = (runId: string, photos = usePhotos.getState().photos) =>
  photos.filter((photo) => photo.runId === runId);

/**
 * Combines the run's counts with this browser's photos of it. A photo counts on the server as soon as it arrives, and
 * counts here as sent with the response: in between none is missing or counted twice. Photos beyond those known here
 * came from elsewhere.
 */
export function countWithLocal({ status, counts }: Run, photos: readonly Photo[]) {
  const countOf = (wanted: Photo['state']) => photos.filter(({ state }) => state === wanted).length;
  const [waiting, sent] = [countOf('waiting'), countOf('sent')];
  if (status !== 'open' || counts.total > waiting + sent) return { counts, toCome: waiting };
  const untold = Math.max(0, sent - counts.total);
  return {
    counts: { ...counts, total: counts.total + untold, queued: counts.queued + untold },
    toCome: waiting - Math.max(0, counts.total - sent),
  };
}

export function usePhotosOf(runId: string): readonly Photo[] {
  const all = usePhotos(({ photos }) => photos);
  return useMemo(() => photosOf(runId, all), [runId, all]);
}

export function usePhotoFile(photoId: string | undefined): Blob | undefined {
  return usePhotos(({ files }) => (photoId === undefined ? undefined : files[photoId]));
}
