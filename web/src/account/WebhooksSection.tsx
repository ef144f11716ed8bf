import type { ReactNode } from 'react';
import {
  newWebhookEndpointSchema,
  WEBHOOK_MAX_ENDPOINTS,
  WEBHOOK_URL_MAX_LENGTH,
  type WebhookEndpoint,
  webhookEndpointSchema,
  type WebhookEvent,
  webhookEvents,
} from '@plinth/contract/webhooks';
import { usePages } from '../platform/pages.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { formatDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { useTyped } from '../ui/fields/typed.ts';
import { useForm } from '../ui/fields/useForm.ts';
import { ENDPOINTS_PATH, MessageLog, useSend } from './MessageLog.tsx';
import { SecretsPanel } from './SecretsPanel.tsx';

const eventNames: Record<WebhookEvent, string> = {
  'generation.finished': 'A generation has ended',
  'run.finished': 'A catalogue has ended',
};

export function WebhooksSection() {
  // There are ten at most: one page holds them all.
  const endpoints = usePages([ENDPOINTS_PATH], `${ENDPOINTS_PATH}?limit=100`, webhookEndpointSchema);
  const isFull = (endpoints.data?.length ?? 0) >= WEBHOOK_MAX_ENDPOINTS;
  return (
    <SecretsPanel
      title="Webhooks"
      intro={
        <p className="small">
          We tell your own server as soon as something has ended, so that it need not ask. Every message is signed as{' '}
          <a className="underlined" href="https://www.standardwebhooks.com">
            Standard Webhooks
          </a>{' '}
          says; what does not arrive is sent again for three days.
        </p>
      }
      path={ENDPOINTS_PATH}
      list={endpoints}
      failed="Your endpoints could not be loaded."
      row={(endpoint, deleteButton) => (
        <EndpointItem key={endpoint.id} endpoint={endpoint} deleteButton={deleteButton} />
      )}
      ask={({ url }) => ({
        name: url,
        title: 'Delete this endpoint?',
        says: `${url} hears nothing more, and what still waits for it is not sent.`,
      })}
      action="Delete endpoint"
      keep="Keep endpoint"
      made={newWebhookEndpointSchema}
      label="The secret of your new endpoint"
      note={({ url }) => <p className="small">With it your server checks that a message to {url} comes from us.</p>}
      form={(make) =>
        isFull ? (
          <p className="field-hint">You have {WEBHOOK_MAX_ENDPOINTS} endpoints. Delete one to add another.</p>
        ) : (
          endpoints.data && <EndpointForm make={make} />
        )
      }
    />
  );
}

function EndpointForm({ make }: { make: (body: object) => Promise<void> }) {
  const { form, wrong, isSending, submit, clear } = useForm({
    check: (fields) => (fields.has('events') ? null : { sentence: 'Choose at least one event.', fields: ['events'] }),
    send: (fields) => make({ url: (fields.get('url') as string).trim(), events: fields.getAll('events') }),
    explain: ({ code, message }) => ({ sentence: message, fields: code === 'url_not_allowed' ? ['url'] : [] }),
  });
  useTyped(form);
  const wrongOf = (field: string) => (wrong?.fields.includes(field) ? wrong.sentence : undefined);
  return (
    <form ref={form} data-typed="webhook" noValidate className="stack" onSubmit={submit}>
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
          <label key={one} className="in-line touchable">
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

function EndpointItem({ endpoint, deleteButton }: { endpoint: WebhookEndpoint; deleteButton: ReactNode }) {
  const { id, url, events, createdAt } = endpoint;
  const test = useSend(id, 'test');
  return (
    <li className="endpoint stack ruled any-break">
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
        {deleteButton}
      </div>
    </li>
  );
}
