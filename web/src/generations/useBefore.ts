import { useQuery } from '@tanstack/react-query';
import { beforeUrl } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { useUser } from '../platform/useUser.ts';
import { findUploadOf } from './recent-uploads.ts';

export const RECENT_KEY = ['recent-uploads'];
export const beforeKey = (generationId: string) => ['stage', 'before', generationId];

/**
 * The picture a generation was made from: from this page, after a reload from the recent uploads, and at last a small
 * one from the server. `mediaId` is the result, null while there is none or its upload is gone.
 */
export function useBefore(generationId: string | null, mediaId: string | null = null): Blob | null {
  const { id: userId } = useUser();
  const api = useApi();
  const { data: own } = useQuery<Blob | null>({
    queryKey: beforeKey(generationId ?? ''),
    enabled: generationId !== null,
    queryFn: async () => (await findUploadOf(userId, generationId ?? '').catch(() => null))?.blob ?? null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const { data: sent } = useQuery<Blob>({
    queryKey: [...beforeKey(generationId ?? ''), 'sent'],
    enabled: own === null && mediaId !== null,
    queryFn: () => api.bytes(beforeUrl(mediaId ?? '', 1280)),
    staleTime: Infinity,
  });
  return own ?? sent ?? null;
}
