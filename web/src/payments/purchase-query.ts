import { queryOptions } from '@tanstack/react-query';
import { pageSchema } from '@plinth/contract/paging';
import { purchaseSchema } from '@plinth/contract/payments';
import type { Api } from '../platform/api.ts';

export const PURCHASES_KEY = ['purchases'];
const POLL_MS = 3000;
const firstPurchase = pageSchema(purchaseSchema);

/** The newest purchase, asked for while it is open, or is not known; null where there is none. */
export function newestPurchaseQuery(api: Api) {
  return queryOptions({
    queryKey: [...PURCHASES_KEY, 'newest'],
    queryFn: async () => (await api.send('/api/v1/purchases?limit=1', firstPurchase)).items[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' || state.status === 'error' ? POLL_MS : false),
    refetchOnMount: 'always',
  });
}
