import {
  type NewWebhookEndpoint,
  WEBHOOK_URL_MAX_LENGTH,
  type WebhookEvent,
  webhookEvents,
} from '@plinth/contract/webhooks';
import type { ApiError } from '../platform/api.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/Field.tsx';
import { Icon } from '../ui/icons.tsx';
import { useForm, type Wrong } from '../ui/useForm.ts';
import { eventNames, useAddEndpoint } from './webhooks.ts';

export function EndpointForm({ onCreated }: { onCreated: (endpoint: NewWebhookEndpoint) => void }) {
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
      <fieldset className="field">
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
      <div className="at-start">
        <Button type="submit" icon={<Icon name="plus" />} asksServer busy={isSending && 'Adding...'}>
          Add endpoint
        </Button>
      </div>
    </form>
  );
}

function explain({ code, message }: ApiError): Wrong {
  return { sentence: message, fields: code === 'url_not_allowed' ? ['url'] : [] };
}
