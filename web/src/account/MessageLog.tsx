import { useState } from 'react';
import { pageSchema } from '@plinth/contract/paging';
import {
  type WebhookDelivery,
  webhookDeliverySchema,
  webhookLogEntrySchema,
  type WebhookMessage,
} from '@plinth/contract/webhooks';
import { readClock } from '../platform/clock.ts';
import { useAnswer } from '../platform/useAnswer.ts';
import { Button } from '../ui/Button.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { useAction } from '../ui/useAction.ts';

export const ENDPOINTS_PATH = '/api/v1/webhook-endpoints';
// Not a child of the list's key: the list is refetched when an endpoint is deleted, whose messages are gone then.
const keyOf = (endpointId: string) => ['webhook-deliveries', endpointId];
const deliveryList = pageSchema(webhookDeliverySchema).pick({ items: true });
const LOOK_EVERY_MS = 3000;
const SELDOM_MS = 60_000;
const SHOWN = 5;
const messageNames: Record<WebhookMessage, string> = {
  'generation.finished': 'Generation',
  'run.finished': 'Catalogue',
  test: 'Test',
};

/** Sends a message to an endpoint: a test, or a repeated delivery. */
export function useSend(endpointId: string, what: string) {
  return useAction(
    (api) => api.send(`${ENDPOINTS_PATH}/${endpointId}/${what}`, webhookDeliverySchema, { method: 'POST' }),
    {
      stale: keyOf(endpointId),
      toastId: endpointId,
    },
  );
}

/** The last messages to an endpoint, refetched while one is pending. */
export function MessageLog({ endpointId }: { endpointId: string }) {
  const { data } = useAnswer(keyOf(endpointId), `${ENDPOINTS_PATH}/${endpointId}/deliveries`, deliveryList, {
    select: ({ items }) => items,
    staleTime: 0,
    refetchInterval: ({ state }) => findNextLook(state.data?.items),
  });
  const [isAll, setAll] = useState(false);
  if (data === undefined) return null;
  if (data.length === 0) return <p className="field-hint">Nothing was sent yet.</p>;
  return (
    <>
      <ul className="messages" aria-label="Last messages">
        {data.slice(0, isAll ? undefined : SHOWN).map((delivery) => (
          <MessageRow key={delivery.id} endpointId={endpointId} delivery={delivery} />
        ))}
      </ul>
      {!isAll && data.length > SHOWN && (
        <Button atStart look="borderless" onClick={() => setAll(true)}>
          Show all {data.length}
        </Button>
      )}
    </>
  );
}

/** The next attempt may be a day away. */
function findNextLook(deliveries: readonly WebhookDelivery[] = []): number | false {
  const open = deliveries.filter(({ status }) => status === 'pending');
  if (open.length === 0) return false;
  const isSoon = open.some(({ nextTryAt }) => nextTryAt === null || Date.parse(nextTryAt) < readClock() + SELDOM_MS);
  return isSoon ? LOOK_EVERY_MS : SELDOM_MS;
}

function MessageRow({ endpointId, delivery }: { endpointId: string; delivery: WebhookDelivery }) {
  const { look, says } = describeEnd(delivery);
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cluster touchable">
          <span className="small">{messageNames[delivery.event]}</span>
          <span className="caption figures">{formatShortDateTime(delivery.createdAt)}</span>
          <span className={`badge ${look}`}>{says}</span>
          <Icon name="down" size={16} />
        </summary>
        {isOpen && <Message endpointId={endpointId} id={delivery.id} />}
      </details>
    </li>
  );
}

function describeEnd({ status, attempts, nextTryAt }: WebhookDelivery) {
  if (status === 'delivered') return { look: 'is-good', says: 'Delivered' };
  if (status === 'failed') return { look: 'in-error', says: `Failed after ${attempts} tries` };
  if (attempts === 0 || nextTryAt === null) return { look: 'in-warning', says: 'On its way' };
  return { look: 'in-warning', says: `Not delivered, next try ${formatShortDateTime(nextTryAt)}` };
}

function Message({ endpointId, id }: { endpointId: string; id: string }) {
  const path = `${ENDPOINTS_PATH}/${endpointId}/deliveries/${id}`;
  const message = useAnswer([...keyOf(endpointId), id], path, webhookLogEntrySchema);
  const again = useSend(endpointId, `deliveries/${id}/again`);
  return (
    <Loaded query={message} failed="This message could not be loaded.">
      {({ body }) => (
        <div className="stack">
          <p className="caption">webhook-id {id}</p>
          {body === null ? (
            <p className="field-hint">What it said is forgotten after 48 hours.</p>
          ) : (
            <>
              <pre className="message-body" tabIndex={0} aria-label="What it said">
                {JSON.stringify(JSON.parse(body), null, 2)}
              </pre>
              <Button
                atStart
                icon={<Icon name="again" />}
                asksServer
                busy={again.isPending && 'Sending...'}
                onClick={() => again.mutate()}
              >
                Send again
              </Button>
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
