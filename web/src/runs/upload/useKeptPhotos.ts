import { useEffect, useState } from 'react';
import { createClientStore } from '../../platform/client-store.ts';
import { useUploads } from './useUploads.ts';

const NONE: ReadonlyMap<string, string> = new Map();
const useReplaced = createClientStore('session', { count: 0 });

/** A kept photo took the place of another one. */
export const countReplaced = () => useReplaced.setState(({ count }) => ({ count: count + 1 }));

/** The photos of these items of a run that this browser still has, by item. */
export function useKeptPhotos(runId: string, itemIds: readonly string[]): ReadonlyMap<string, string> {
  const { store } = useUploads();
  const replaced = useReplaced(({ count }) => count);
  const [kept, setKept] = useState(NONE);
  const ids = itemIds.join();
  useEffect(() => {
    let isPast = false;
    void store.list().then(
      (photos) => {
        const ofRun = photos.filter((photo) => photo.runId === runId);
        const found = ofRun.flatMap(({ id, itemId }) => (itemId === null ? [] : [[itemId, id] as const]));
        if (!isPast) setKept(new Map(found));
      },
      () => undefined, // It keeps nothing.
    );
    return () => {
      isPast = true;
    };
  }, [store, runId, ids, replaced]);
  return kept;
}

/** The bytes of a photo, if this browser has them. */
export function useKeptFile(photoId: string | undefined): Blob | undefined {
  const { store } = useUploads();
  const [read, setRead] = useState<{ photoId: string; file: Blob | undefined } | null>(null);
  useEffect(() => {
    if (photoId === undefined) return undefined;
    let isPast = false;
    void store.readFile(photoId).then(
      (file) => isPast || setRead({ photoId, file }),
      () => undefined, // It keeps nothing.
    );
    return () => {
      isPast = true;
    };
  }, [store, photoId]);
  return read?.photoId === photoId ? read?.file : undefined;
}
