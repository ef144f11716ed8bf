import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../platform/useApi.ts';
import { isStarted, usePhotos } from '../photos.ts';

/** Resumes uploads that an earlier page left. Most users have none, so the uploader is fetched only then. */
export function useResumedUploads(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const hasLeft = usePhotos(({ photos }) => photos.some(isStarted));
  useEffect(() => {
    if (!hasLeft) return;
    import('./useUploads.ts').then(
      ({ openUploads }) => openUploads(api, queryClient).start(),
      () => undefined, // The catalogue's own screen fetches it as well.
    );
  }, [api, queryClient, hasLeft]);
}
