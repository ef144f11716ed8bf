import { useQuery } from '@tanstack/react-query';
import type { Generation } from '@plinth/contract/generations';
import { beforeUrl } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';

/** Thumbnail of the photo that a generation is made from, while the server has it. */
export function useBefore(generation: Pick<Generation, 'id' | 'input'> | null): Blob | null {
  const api = useApi();
  const { data = null } = useQuery<Blob>({
    queryKey: ['before', generation?.id],
    enabled: generation !== null && generation.input !== null,
    queryFn: () => api.file(beforeUrl(generation?.id ?? '', 1280)),
    staleTime: Infinity,
  });
  return data;
}
