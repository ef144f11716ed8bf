import { QueryObserver, queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { creditsSchema } from '@plinth/contract/credits';
import { useApi } from '../platform/useApi.ts';
import type { Api } from '../platform/api.ts';

const KEY = ['credits'];
export const LEDGER_KEY = ['ledger'];

const creditsQuery = (api: Api) =>
  queryOptions<number>({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api.send('/api/v1/credits', creditsSchema, { signal })).credits,
    staleTime: Infinity,
  });

/** The balance to show; 0 when it could not be read, undefined while it is not known yet. */
export function useCredits(): number | undefined {
  const { data, isError } = useQuery(creditsQuery(useApi()));
  return data ?? (isError ? 0 : undefined);
}

/** Takes credits off the shown balance before the server answers; `settle` reads what is true then. */
export function useCreditHolds() {
  const queryClient = useQueryClient();
  return {
    hold: (cost: number) => show(queryClient, (credits) => credits && Math.max(0, credits - cost)),
    settle: () => queryClient.invalidateQueries({ queryKey: KEY }),
  };
}

/** Calls back with the balance that is shown, now and whenever it changes; returns the way to end that. */
export function watchCredits(queryClient: QueryClient, onCredits: (credits: number) => void): () => void {
  const shown = new QueryObserver<number>(queryClient, { queryKey: KEY, enabled: false });
  const tell = ({ data }: { data: number | undefined }) => data !== undefined && onCredits(data);
  tell(shown.getCurrentResult());
  return shown.subscribe(tell);
}

export function putCredits(queryClient: QueryClient, credits: number): void {
  show(queryClient, () => credits);
}

/** An answer that is on its way is older than what is shown from now on, so it is passed over. */
function show(queryClient: QueryClient, change: (credits: number | undefined) => number | undefined): void {
  if (queryClient.setQueryData<number>(KEY, change) !== undefined) void queryClient.cancelQueries({ queryKey: KEY });
}

export function refetchCredits(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: KEY });
  void queryClient.invalidateQueries({ queryKey: LEDGER_KEY });
}
