import { QueryObserver, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { creditsSchema } from '@plinth/contract/credits';
import { useApi } from '../platform/useApi.ts';

const KEY = ['credits'];
export const LEDGER_KEY = ['ledger'];

/** The balance to show: 0 if it could not be read, undefined until it is known. */
export function useCredits(): number | undefined {
  const api = useApi();
  const { data, isError } = useQuery<number>({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api.send('/api/v1/credits', creditsSchema, { signal })).credits,
    staleTime: Infinity,
  });
  return data ?? (isError ? 0 : undefined);
}

/** Deducts credits from the shown balance before the server answers; `settle` refetches the real one. */
export function useCreditHolds() {
  const queryClient = useQueryClient();
  return {
    hold: (cost: number) => show(queryClient, (credits) => credits && Math.max(0, credits - cost)),
    settle: () => queryClient.invalidateQueries({ queryKey: KEY }),
  };
}

/** Calls back with the shown balance, now and on every change. Returns a function that unsubscribes. */
export function watchCredits(queryClient: QueryClient, onCredits: (credits: number) => void): () => void {
  const shown = new QueryObserver<number>(queryClient, { queryKey: KEY, enabled: false });
  const notify = ({ data }: { data: number | undefined }) => data !== undefined && onCredits(data);
  notify(shown.getCurrentResult());
  return shown.subscribe(notify);
}

export function putCredits(queryClient: QueryClient, credits: number): void {
  show(queryClient, () => credits);
}

/** A response in flight is older than the shown balance, so it is cancelled. */
function show(queryClient: QueryClient, change: (credits: number | undefined) => number | undefined): void {
  if (queryClient.setQueryData<number>(KEY, change) !== undefined) void queryClient.cancelQueries({ queryKey: KEY });
}

export function refetchCredits(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: KEY });
  void queryClient.invalidateQueries({ queryKey: LEDGER_KEY });
}
