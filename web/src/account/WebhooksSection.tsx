import { useRef, useState } from 'react';
import {
  type NewWebhookEndpoint,
  WEBHOOK_MAX_ENDPOINTS,
  WEBHOOK_URL_MAX_LENGTH,
  type WebhookEndpoint,
  type WebhookEvent,
  webhookEvents,
} from '@plinth/contract/webhooks';
import type { ApiError } from '../platform/api.ts';
import { Button } from '../ui/Button.tsx';
import { CancelQuestion } from '../ui/above/CancelQuestion.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { formatDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { useForm, type Wrong } from '../ui/fields/useForm.ts';
import { MessageLog } from './MessageLog.tsx';
import { Panel } from './Panel.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import { eventNames, useAddEndpoint, useEndpointActs, useEndpoints } from './webhooks.ts';

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

function EndpointForm({ onCreated }: { onCreated: (endpoint: NewWebhookEndpoint) => void }) {
  const add = useAddEndpoint();
  const { form, wrong, isSending, submit, clear } = useForm({
    check: (fields) => (fields.has('events') ? null : { sentence: 'Choose at least one event.', fields: ['events'] }),
    send: async (fields) =>
      onCreated(
        await add({
          url: (fields.get('url') as string).trim(),
          events: fields.getAll('events') as WebhookEvent[],
        }),
      ),
    explain,
  });
  const wrongOf = (field: string) => (wrong?.fields.includes(field) ? wrong.sentence : undefined);
  return (
    <form ref={form} noValidate className="stack" onSubmit={submit}>
      <InputField
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://shop.example/plinth"
        maxLength={WEBHOOK_URL_MAX_LENGTH}
        readOnly={isSending}
        error={wrongOf('url')}
        onChange={clear}
      />
      <fieldset>
        <legend className="label">Tell it when</legend>
        {webhookEvents.map((one) => (
          <label key={one} className="endpoint-event in-line">
            <input type="checkbox" name="events" value={one} defaultChecked onChange={clear} />
            {eventNames[one]}
          </label>
        ))}
        {wrongOf('events') && <span className="field-hint is-wrong">{wrongOf('events')}</span>}
      </fieldset>
      {wrong?.fields.length === 0 && <ErrorBox>{wrong.sentence}</ErrorBox>}
      <Button atStart type="submit" icon={<Icon name="plus" />} asksServer busy={isSending && 'Adding...'}>
        Add endpoint
      </Button>
    </form>
  );
}

function explain({ code, message }: ApiError): Wrong {
  return { sentence: message, fields: code === 'url_not_allowed' ? ['url'] : [] };
}

function EndpointItem({ endpoint, onRemoved }: { endpoint: WebhookEndpoint; onRemoved: () => void }) {
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
