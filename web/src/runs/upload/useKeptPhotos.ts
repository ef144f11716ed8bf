import { useQuery } from '@tanstack/react-query';
import { useUploads } from './UploadsProvider.tsx';
import { RUNS_KEY } from '../useRuns.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** The photos of these items of a run that this browser still has, by item. */
export function useKeptPhotos(runId: string, itemIds: readonly string[]): ReadonlyMap<string, string> {
  const { store } = useUploads();
  const { data } = useQuery({
    queryKey: [...RUNS_KEY, 'kept', runId, itemIds.join()],
    queryFn: async () => {
      const photos = await store.list().catch(() => []);
      const ofRun = photos.flatMap(({ id, itemId, runId: of }) =>
        itemId === null || of !== runId ? [] : [[itemId, id] as const],
      );
      return new Map(ofRun);
    },
    staleTime: 0,
  });
  return data ?? NONE;
}

/** The bytes of a photo, if this browser has them. */
export function useKeptFile(photoId: string | undefined): Blob | undefined {
  const { store } = useUploads();
  const { data } = useQuery({
    queryKey: ['kept-file', photoId],
    queryFn: async () => (photoId === undefined ? null : ((await store.readFile(photoId).catch(() => null)) ?? null)),
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return data ?? undefined;
}
