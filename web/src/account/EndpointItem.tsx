import { useState } from 'react';
import type { WebhookEndpoint } from '@plinth/contract/webhooks';
import { Button } from '../ui/Button.tsx';
import { CancelQuestion } from '../ui/CancelQuestion.tsx';
import { formatDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { MessageLog } from './MessageLog.tsx';
import { eventNames, useEndpointActs } from './webhooks.ts';

export function EndpointItem({ endpoint, onRemoved }: { endpoint: WebhookEndpoint; onRemoved: () => void }) {
  const { id, url, events, createdAt } = endpoint;
  const { test, remove } = useEndpointActs(id, onRemoved);
  const [isAsked, setAsked] = useState(false);
  return (
    <li className="endpoint stack any-break">
      <p className="control-text">{url}</p>
      <p className="caption">
        {events.map((event) => eventNames[event]).join(' · ')} · Added {formatDateTime(createdAt)}
      </p>
      <MessageLog endpointId={id} />
      <div className="cluster">
        <Button
          asksServer
          busy={test.isPending && 'Sending...'}
          aria-label={`Send a test to ${url}`}
          onClick={() => test.mutate()}
        >
          Send a test
        </Button>
        <Button
          look="borderless"
          icon={<Icon name="trash" />}
          asksServer
          busy={remove.isPending && 'Deleting...'}
          aria-label={`Delete ${url}`}
          onClick={() => setAsked(true)}
        >
          Delete
        </Button>
      </div>
      <CancelQuestion
        title="Delete this endpoint?"
        action="Delete endpoint"
        keep="Keep endpoint"
        look="danger"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onCancel={() => remove.mutate()}
      >
        {url} hears nothing more, and what still waits for it is not sent.
      </CancelQuestion>
    </li>
  );
}
