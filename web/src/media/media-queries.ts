import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { mediaSchema } from '@plinth/contract/media';
import { pageSchema } from '@plinth/contract/paging';
import { ApiError, type Api } from '../platform/api.ts';

/** Begins the keys of all answers about media. */
export const MEDIA_KEY = ['media'];
const mediaPage = pageSchema(mediaSchema);
const PAGE_SIZE = 24;

/** What was made in the last 48 hours, newest first. */
export function mediaListQuery(api: Api) {
  return infiniteQueryOptions({
    queryKey: [...MEDIA_KEY, 'list'],
    queryFn: ({ pageParam }) => api.send(`/api/v1/media?limit=${PAGE_SIZE}${pageParam}`, mediaPage),
    initialPageParam: '',
    getNextPageParam: (page) => (page.nextCursor === null ? null : `&cursor=${encodeURIComponent(page.nextCursor)}`),
  });
}

/** One medium; that there is none is not asked twice. */
export function mediaQuery(api: Api, mediaId: string) {
  return queryOptions({
    queryKey: [...MEDIA_KEY, 'one', mediaId],
    queryFn: () => api.send(`/api/v1/media/${encodeURIComponent(mediaId)}`, mediaSchema),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status === 404),
  });
}
