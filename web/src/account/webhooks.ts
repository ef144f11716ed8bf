import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pageSchema } from '@plinth/contract/paging';
import {
  newWebhookEndpointSchema,
  type WebhookDelivery,
  webhookDeliverySchema,
  webhookEndpointSchema,
  type WebhookEvent,
  webhookLogEntrySchema,
  type WebhookMessage,
} from '@plinth/contract/webhooks';
import { usePages } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';
import { formatShortDateTime } from '../ui/format.ts';
import { useAct } from '../ui/useAct.ts';

const PATH = '/api/v1/webhook-endpoints';
const KEY = ['webhook-endpoints'];
// Not below the list's: that is read anew when an endpoint is gone, whose messages then are no more.
const deliveriesKey = (endpointId: string) => ['webhook-deliveries', endpointId];
const deliveryList = pageSchema(webhookDeliverySchema).pick({ items: true });
/** A person may have ten: one page holds them all. */
const LIST = `${PATH}?limit=100`;
const LOOK_EVERY_MS = 3000;

export const eventNames: Record<WebhookEvent, string> = {
  'generation.finished': 'A generation has ended',
  'run.finished': 'A catalogue has ended',
};
const messageNames: Record<WebhookMessage, string> = {
  'generation.finished': 'Generation',
  'run.finished': 'Catalogue',
  test: 'Test',
};

export function useEndpoints() {
  return usePages(KEY, LIST, webhookEndpointSchema);
}

export function useDeliveries(endpointId: string) {
  const api = useApi();
  return useQuery({
    queryKey: deliveriesKey(endpointId),
    queryFn: async () => (await api.send(`${PATH}/${endpointId}/deliveries`, deliveryList)).items,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? LOOK_EVERY_MS : false),
  });
}

export function useMessage(endpointId: string, id: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...deliveriesKey(endpointId), id],
    queryFn: () => api.send(`${PATH}/${endpointId}/deliveries/${id}`, webhookLogEntrySchema),
  });
}

export function useSendAgain(endpointId: string, id: string) {
  return useAct(
    (api) => api.send(`${PATH}/${endpointId}/deliveries/${id}/again`, webhookDeliverySchema, { method: 'POST' }),
    { stale: deliveriesKey(endpointId), toastId: `endpoint-${endpointId}` },
  );
}

export function useAddEndpoint() {
  const api = useApi();
  const queryClient = useQueryClient();
  return async (body: { url: string; events: WebhookEvent[] }) => {
    const endpoint = await api.send(PATH, newWebhookEndpointSchema, { method: 'POST', body });
    void queryClient.invalidateQueries({ queryKey: KEY });
    return endpoint;
  };
}

export function useEndpointActs(endpointId: string, onRemoved: () => void) {
  const toastId = `endpoint-${endpointId}`;
  const test = useAct((api) => api.send(`${PATH}/${endpointId}/test`, webhookDeliverySchema, { method: 'POST' }), {
    stale: deliveriesKey(endpointId),
    toastId,
  });
  const remove = useAct((api) => api.command(`${PATH}/${endpointId}`, { method: 'DELETE' }), {
    stale: KEY,
    toastId,
    onDone: onRemoved,
  });
  return { test, remove };
}

export function describeDelivery({ event, status, attempts, nextTryAt }: WebhookDelivery) {
  const name = messageNames[event];
  if (status === 'delivered') return { name, look: 'is-good', says: 'Delivered' };
  if (status === 'failed') return { name, look: 'in-error', says: `Failed after ${attempts} tries` };
  if (attempts === 0 || nextTryAt === null) return { name, look: 'in-warning', says: 'On its way' };
  return { name, look: 'in-warning', says: `Not delivered, next try ${formatShortDateTime(nextTryAt)}` };
}
