import { useCallback, useReducer } from 'react';
import { skipToken, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** State of the browser that outlives its screen and dies with the cache: drafts, what stands on a stage. */
export function useCached<State>(key: QueryKey, initial: State): [State, (change: (state: State) => State) => void] {
  const queryClient = useQueryClient();
  const { data } = useQuery<State>({ queryKey: key, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });
  // The cache tells its readers a moment later. What is typed must be drawn before that, or React would put the old text back.
  const [, drawNow] = useReducer((count: number) => count + 1, 0);
  const path = JSON.stringify(key);
  const update = useCallback(
    (change: (state: State) => State) => {
      const parsed = JSON.parse(path) as QueryKey;
      queryClient.setQueryDefaults(parsed, { gcTime: Infinity });
      queryClient.setQueryData<State>(parsed, (state) => change(state ?? initial));
      drawNow();
    },
    [queryClient, path, initial],
  );
  return [data ?? initial, update];
}
