import { useQuery } from '@tanstack/react-query';
import { findUploadOf } from './recent-uploads.ts';

export const RECENT_KEY = ['recent-uploads'];
export const beforeKey = (generationId: string) => ['stage', 'before', generationId];

/** The picture a generation was made from: from this page, after a reload from the recent uploads, else null. */
export function useBefore(generationId: string | null, userId: string): Blob | null {
  const { data } = useQuery<Blob | null>({
    queryKey: beforeKey(generationId ?? ''),
    enabled: generationId !== null,
    queryFn: async () => (await findUploadOf(userId, generationId ?? '').catch(() => null))?.blob ?? null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? null;
}
