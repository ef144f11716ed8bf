import { queryOptions } from '@tanstack/react-query';
import { pageSchema } from '@plinth/contract/paging';
import { type Purchase, purchaseSchema } from '@plinth/contract/payments';
import type { Api } from '../platform/api.ts';

export const PURCHASES_KEY = ['purchases'];
const POLL_MS = 3000;
const firstPurchase = pageSchema(purchaseSchema);

/** The newest purchase, polled while it is open or not yet known; null if there is none. */
export function newestPurchaseQuery(api: Api) {
  return queryOptions({
    queryKey: [...PURCHASES_KEY, 'newest'],
    queryFn: () => readNewestPurchase(api),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' || state.status === 'error' ? POLL_MS : false),
    refetchOnMount: 'always',
  });
}

export async function readNewestPurchase(api: Api): Promise<Purchase | null> {
  return (await api.send('/api/v1/purchases?limit=1', firstPurchase)).items[0] ?? null;
}
