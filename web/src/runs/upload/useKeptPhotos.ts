import { useEffect, useState } from 'react';
import type { RunItem } from '@plinth/contract/runs';
import { createClientStore } from '../../platform/client-store.ts';
import { useMade } from '../../platform/useMade.ts';
import type { Photo, PhotoStore } from '../photos.ts';
import { useUploads } from './useUploads.ts';

const NONE: ReadonlyMap<string, string> = new Map();
const useReplaced = createClientStore('session', { count: 0 });

type Replacement = { id: string; runId: string; item: RunItem; file: Blob; name: string };

/** Keeps a photo in place of the one before, so that it can be marked, too. @throws where the browser keeps nothing */
export async function keepReplacement(store: PhotoStore, { id, runId, item, file, name }: Replacement): Promise<void> {
  const before = (await store.list()).filter(({ itemId }) => itemId === item.id);
  const photo: Photo = {
    id,
    runId,
    name,
    path: name,
    type: file.type,
    bytes: file.size,
    sku: item.sku ?? '',
    words: '',
    wordsField: null,
    state: 'settled',
    itemId: item.id,
    refusal: null,
    addedAt: Date.now(),
    place: 0,
  };
  await store.keep([photo]);
  await store.keepFile(id, file);
  await store.drop(before.map((one) => one.id));
  useReplaced.setState(({ count }) => ({ count: count + 1 }));
}

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

export function useKeptFile(photoId: string | undefined): Blob | undefined {
  const { store } = useUploads();
  const read = useMade(photoId ?? '', async () => (photoId === undefined ? undefined : store.readFile(photoId)));
  return read === 'failed' ? undefined : read;
}
