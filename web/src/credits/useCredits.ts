import { useCallback } from 'react';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { creditsSchema } from '@plinth/contract/credits';
import { useApi } from '../platform/useApi.ts';
import type { Api } from '../platform/api.ts';
import { addHold, confirmCredits, dropHold, shownCredits, tellCredits, type Balance } from './balance.ts';

const KEY = ['credits'];
export const LEDGER_KEY = ['ledger'];

/** The balance to show; 0 when it could not be read, undefined while it is not known yet. */
export function useCredits(): number | undefined {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data, isError } = useQuery<Balance>({
    queryKey: KEY,
    queryFn: () => askBalance(api, queryClient),
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
      const balance = await askBalance(api, queryClient).catch(() => null);
      if (balance !== null) queryClient.setQueryData<Balance>(KEY, dropHold(balance, key));
    },
    [api, queryClient],
  );
  return { hold, release, settle };
}

/** The balance as the server answers; or as it is, where an event came meanwhile, or another person. */
async function askBalance(api: Api, queryClient: QueryClient): Promise<Balance> {
  const read = () => queryClient.getQueryData<Balance>(KEY);
  const told = read()?.told ?? null;
  const { credits } = await api.send('/api/v1/credits', creditsSchema);
  const balance = read();
  return balance !== undefined && balance.told !== told ? balance : confirmCredits(balance, credits);
}

/** The balance as a live event tells it, or a session that begins. */
export function putCredits(queryClient: QueryClient, credits: number): void {
  queryClient.setQueryData<Balance>(KEY, (balance) => tellCredits(balance, credits));
}

export function refetchCredits(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: KEY });
  void queryClient.invalidateQueries({ queryKey: LEDGER_KEY });
}
