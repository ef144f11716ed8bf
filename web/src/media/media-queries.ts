import { queryOptions } from '@tanstack/react-query';
import { mediaSchema } from '@plinth/contract/media';
import { ApiError, type Api } from '../platform/api.ts';
import { pagesQuery } from '../platform/pages.ts';

export const MEDIA_KEY = ['media'];

export function mediaListQuery(api: Api) {
  return pagesQuery(api, [...MEDIA_KEY, 'list'], '/api/v1/media?limit=24', mediaSchema);
}

/** One medium; that there is none is not asked twice. */
export function mediaQuery(api: Api, mediaId: string) {
  return queryOptions({
    queryKey: [...MEDIA_KEY, 'one', mediaId],
    queryFn: () => api.send(`/api/v1/media/${encodeURIComponent(mediaId)}`, mediaSchema),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status === 404),
  });
}
