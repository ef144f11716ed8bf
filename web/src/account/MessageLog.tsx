import { useState } from 'react';
import type { WebhookDelivery } from '@plinth/contract/webhooks';
import { Button } from '../ui/Button.tsx';
import { formatDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { describeDelivery, useDeliveries, useMessage, useSendAgain } from './webhooks.ts';

const SHOWN = 5;

export function MessageLog({ endpointId }: { endpointId: string }) {
  const { data } = useDeliveries(endpointId);
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

function MessageRow({ endpointId, delivery }: { endpointId: string; delivery: WebhookDelivery }) {
  const { name, look, says } = describeDelivery(delivery);
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cluster">
          <span className="small">{name}</span>
          <span className={`badge ${look}`}>{says}</span>
          <Icon name="down" size={16} />
        </summary>
        {isOpen && <Message endpointId={endpointId} id={delivery.id} />}
      </details>
    </li>
  );
}

function Message({ endpointId, id }: { endpointId: string; id: string }) {
  const { data } = useMessage(endpointId, id);
  const again = useSendAgain(endpointId, id);
  if (data === undefined) return <div className="skeleton row-wait" />;
  return (
    <div className="stack">
      <p className="caption">
        {formatDateTime(data.createdAt)} · webhook-id {id}
      </p>
      {data.body === null ? (
        <p className="field-hint">What it said is forgotten after 48 hours.</p>
      ) : (
        <>
          <pre className="message-body" tabIndex={0} aria-label="What it said">
            {JSON.stringify(JSON.parse(data.body), null, 2)}
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
  );
}
