import { useCallback } from 'react';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { creditsSchema } from '@plinth/contract/credits';
import { useApi } from '../platform/useApi.ts';
import { addHold, confirmCredits, dropHold, shownCredits, type Balance } from './balance.ts';

const KEY = ['credits'];
export const LEDGER_KEY = ['ledger'];

/** The balance to show; 0 when it could not be read, undefined while it is not known yet. */
export function useCredits(): number | undefined {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data, isError } = useQuery<Balance>({
    queryKey: KEY,
    queryFn: async () => {
      const { credits } = await api.send('/api/v1/credits', creditsSchema);
      return confirmCredits(queryClient.getQueryData<Balance>(KEY), credits);
    },
    staleTime: Infinity,
  });
  if (data === undefined) return isError ? 0 : undefined;
  return shownCredits(data);
}

/** Takes credits off the shown balance before the server answers, and gives them back when it refuses. */
export function useCreditHolds() {
  const api = useApi();
  const queryClient = useQueryClient();

  const hold = useCallback(
    (key: string, cost: number) => {
      queryClient.setQueryData<Balance>(KEY, (balance) => balance && addHold(balance, key, cost));
    },
    [queryClient],
  );
  const release = useCallback(
    (key: string) => queryClient.setQueryData<Balance>(KEY, (balance) => balance && dropHold(balance, key)),
    [queryClient],
  );
  /** The server accepted: its own number replaces the hold. */
  const settle = useCallback(
    async (key: string) => {
      const { credits } = await api.send('/api/v1/credits', creditsSchema).catch(() => ({ credits: null }));
      if (credits === null) return;
      queryClient.setQueryData<Balance>(KEY, (balance) => dropHold(confirmCredits(balance, credits), key));
    },
    [api, queryClient],
  );
  return { hold, release, settle };
}

/** The balance as an answer or a live event told it. */
export function putCredits(queryClient: QueryClient, credits: number): void {
  queryClient.setQueryData<Balance>(KEY, (balance) => confirmCredits(balance, credits));
}

export function refetchCredits(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: KEY });
  void queryClient.invalidateQueries({ queryKey: LEDGER_KEY });
}
