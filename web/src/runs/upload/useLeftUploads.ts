import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../platform/useApi.ts';
import { useUser } from '../../platform/useUser.ts';
import { isBegun, openPhotoStore } from '../photos.ts';

/** Goes on with what an earlier page left to upload. Most people have nothing left, so the rest is fetched then. */
export function useLeftUploads(): void {
  const { id: userId } = useUser();
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    const goOn = async () => {
      if (!(await openPhotoStore(userId).list()).some(isBegun)) return;
      (await import('./useUploads.ts')).openUploads(api, queryClient, userId);
    };
    goOn().catch(() => undefined); // A browser that keeps nothing has nothing left.
  }, [api, queryClient, userId]);
}
