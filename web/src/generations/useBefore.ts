import { useQuery } from '@tanstack/react-query';
import { beforeUrl } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { findUploadOf, useMemory } from './memory.ts';

/**
 * The picture a generation was made from, as this browser has it, else a small one from the server. `mediaId` is the
 * result, null while there is none or its upload is gone.
 */
export function useBefore(generationId: string | null, mediaId: string | null = null): Blob | null {
  const api = useApi();
  const own = useMemory((memory) => findUploadOf(generationId ?? '', memory)?.file);
  const isRead = useMemory((memory) => memory.isRead);
  const { data: sent } = useQuery<Blob>({
    queryKey: ['before', mediaId],
    enabled: isRead && own === undefined && mediaId !== null,
    queryFn: () => api.file(beforeUrl(mediaId ?? '', 1280)),
    staleTime: Infinity,
  });
  return own ?? (mediaId === null ? null : (sent ?? null));
}
