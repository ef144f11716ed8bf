import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { AnswerSchema } from './api.ts';
import { useApi } from './useApi.ts';

/** The server's answer at a path, cached. */
export function useAnswer<Answer, Data = Answer>(
  queryKey: QueryKey,
  path: string,
  schema: AnswerSchema<Answer>,
  options: Omit<UseQueryOptions<Answer, Error, Data>, 'queryKey' | 'queryFn'> = {},
) {
  const api = useApi();
  return useQuery({ ...options, queryKey, queryFn: () => api.send(path, schema) });
}
