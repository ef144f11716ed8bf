import { queryOptions } from '@tanstack/react-query';
import { mediaSchema } from '@plinth/contract/media';
import { isGone, type Api } from '../platform/api.ts';
import { usePages } from '../platform/pages.ts';
import { sayRefused } from '../ui/above/say-refused.ts';
import { say } from '../ui/above/toast.tsx';

export const MEDIA_KEY = ['media'];

export const useMediaList = () => usePages([...MEDIA_KEY, 'list'], '/api/v1/media?limit=24', mediaSchema);

export function mediaQuery(api: Api, mediaId: string) {
  return queryOptions({
    queryKey: [...MEDIA_KEY, 'one', mediaId],
    queryFn: () => api.send(`/api/v1/media/${encodeURIComponent(mediaId)}`, mediaSchema),
  });
}

/** Returns the sentence for a medium that could not be read. */
export function sayUnread(cause: unknown, toastId: string): void {
  if (isGone(cause)) say.wrong('This picture is no longer there.', { id: toastId });
  else sayRefused(cause, toastId);
}
