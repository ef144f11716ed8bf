import { infiniteQueryOptions, useInfiniteQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { pageSchema, type Page } from '@plinth/contract/paging';
import type { z } from 'zod';
import type { Api } from './api.ts';
import { useApi } from './useApi.ts';

/**
 * An endless list, newest first, fetched page by page. @param path with the page size, as in `/api/v1/runs?limit=20`
 */
export function pagesQuery<Schema extends z.ZodType>(api: Api, queryKey: QueryKey, path: string, item: Schema) {
  const schema = pageSchema(item);
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => api.send<Page<z.infer<Schema>>>(path + pageParam, schema, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : `&cursor=${encodeURIComponent(nextCursor)}`),
  });
}

export function usePages<Schema extends z.ZodType>(queryKey: QueryKey, path: string, item: Schema) {
  return useInfiniteQuery({ ...pagesQuery(useApi(), queryKey, path, item), select: itemsOf });
}

export const itemsOf = <Item>({ pages }: InfiniteData<Page<Item>>): Item[] => pages.flatMap(({ items }) => items);
