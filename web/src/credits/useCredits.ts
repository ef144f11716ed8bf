import { useQuery, type QueryClient } from '@tanstack/react-query';
import { creditsSchema } from '@plinth/contract/credits';
import { createClientStore } from '../platform/client-store.ts';
import { useApi } from '../platform/useApi.ts';
import type { Api } from '../platform/api.ts';
import { addHold, confirmCredits, dropHold, shownCredits, tellCredits, type Balance } from './balance.ts';

const KEY = ['credits'];
export const LEDGER_KEY = ['ledger'];

/** What the server said last and what was spent since: null until it said something. */
const usePurse = createClientStore('session', { balance: null as Balance | null });

function changeBalance(change: (balance: Balance) => Balance): void {
  usePurse.setState(({ balance }) => ({ balance: balance && change(balance) }));
}

/** The balance to show; 0 when it could not be read, undefined while it is not known yet. */
export function useCredits(): number | undefined {
  const api = useApi();
  const balance = usePurse((purse) => purse.balance);
  const { isError } = useQuery<number>({
    queryKey: KEY,
    queryFn: ({ signal }) => askCredits(api, signal),
    staleTime: Infinity,
  });
  if (balance === null) return isError ? 0 : undefined;
  return shownCredits(balance);
}

/** Takes credits off the shown balance before the server answers, and gives them back when it refuses. */
export function useCreditHolds() {
  const api = useApi();
  return {
    hold: (key: string, cost: number) => changeBalance((balance) => addHold(balance, key, cost)),
    release: (key: string) => changeBalance((balance) => dropHold(balance, key)),
    ask: () => askCredits(api),
    settle: async (key: string) => {
      const isAnswered = await askCredits(api).then(
        () => true,
        () => false,
      );
      if (isAnswered) changeBalance((balance) => dropHold(balance, key));
    },
  };
}

/** The balance as the server answers; passed over where an event came meanwhile, or another person. */
async function askCredits(api: Api, signal?: AbortSignal): Promise<number> {
  const before = usePurse.getState().balance;
  const { credits } = await api.send('/api/v1/credits', creditsSchema, signal && { signal });
  const { balance } = usePurse.getState();
  if ((balance?.told ?? null) === (before?.told ?? null))
    usePurse.setState({ balance: confirmCredits(balance ?? undefined, credits) });
  return credits;
}

export function putCredits(queryClient: QueryClient, credits: number): void {
  queryClient.setQueryData<number>(KEY, credits);
  usePurse.setState(({ balance }) => ({ balance: tellCredits(balance ?? undefined, credits) }));
}

export function refetchCredits(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: KEY });
  void queryClient.invalidateQueries({ queryKey: LEDGER_KEY });
}
