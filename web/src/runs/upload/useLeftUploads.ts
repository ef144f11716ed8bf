import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../platform/useApi.ts';
import { isBegun, usePhotos } from '../photos.ts';

/** Goes on with what an earlier page left to upload. Most people have nothing left, so the rest is fetched then. */
export function useLeftUploads(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const hasLeft = usePhotos(({ photos }) => photos.some(isBegun));
  useEffect(() => {
    if (!hasLeft) return;
    import('./useUploads.ts').then(
      ({ openUploads }) => openUploads(api, queryClient).start(),
      () => undefined, // It is fetched with the catalogue's own screen.
    );
  }, [api, queryClient, hasLeft]);
}
