import { useRef, useState } from 'react';
import { type NewWebhookEndpoint, WEBHOOK_MAX_ENDPOINTS } from '@plinth/contract/webhooks';
import { Loaded } from '../ui/Loaded.tsx';
import { EndpointForm } from './EndpointForm.tsx';
import { EndpointItem } from './EndpointItem.tsx';
import { Panel } from './Panel.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import { useEndpoints } from './webhooks.ts';

export function WebhooksSection() {
  const endpoints = useEndpoints();
  const [created, setCreated] = useState<NewWebhookEndpoint | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  // What had the focus is gone.
  const leadToTitle = () => title.current?.focus();
  const isFull = (endpoints.data?.length ?? 0) >= WEBHOOK_MAX_ENDPOINTS;
  const handleSaved = () => {
    setCreated(null);
    leadToTitle();
  };
  return (
    <Panel title="Webhooks" titleRef={title}>
      <p className="small">
        We tell your own server as soon as something has ended, so that it need not ask. Every message is signed as{' '}
        <a className="underlined" href="https://www.standardwebhooks.com">
          Standard Webhooks
        </a>{' '}
        says; what does not arrive is sent again for three days.
      </p>
      <Loaded query={endpoints} failed="Your endpoints could not be loaded.">
        {(all) => (
          <ul>
            {all.map((endpoint) => (
              <EndpointItem key={endpoint.id} endpoint={endpoint} onRemoved={leadToTitle} />
            ))}
          </ul>
        )}
      </Loaded>
      {created !== null ? (
        <SecretOnce label="The secret of your new endpoint" secret={created.secret} onSaved={handleSaved}>
          <p className="small">With it your server checks that a message to {created.url} comes from us.</p>
        </SecretOnce>
      ) : (
        endpoints.data && !isFull && <EndpointForm onCreated={setCreated} />
      )}
      {isFull && <p className="field-hint">You have {WEBHOOK_MAX_ENDPOINTS} endpoints. Delete one to add another.</p>}
    </Panel>
  );
}
