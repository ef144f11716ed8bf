import { useRef, useState, type SubmitEvent } from 'react';
import {
  type NewWebhookEndpoint,
  WEBHOOK_URL_MAX_LENGTH,
  type WebhookEvent,
  webhookEvents,
} from '@plinth/contract/webhooks';
import { toApiError } from '../platform/api.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/Field.tsx';
import { Icon } from '../ui/icons.tsx';
import { useFocusWrong } from '../ui/useFocusWrong.ts';
import { eventNames, useAddEndpoint } from './webhooks.ts';

type Wrong = { field: 'url' | 'events' | null; sentence: string };

/** Where to send, and what about. */
export function EndpointForm({ onCreated }: { onCreated: (endpoint: NewWebhookEndpoint) => void }) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isOnline = useOnline();
  const add = useAddEndpoint();
  const control = wrong?.field === 'events' ? '[type=checkbox]' : '[name=url]';
  useFocusWrong(form, wrong, wrong?.field === null ? null : control, add.isPending);

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (add.isPending) return;
    if (events.length === 0) return setWrong({ field: 'events', sentence: 'Choose at least one event.' });
    setWrong(null);
    await add.mutateAsync({ url: url.trim(), events: [...events] }).then(onCreated, (cause: unknown) => {
      setWrong(explain(cause));
    });
  };
  const toggle = (one: WebhookEvent) =>
    setEvents(webhookEvents.filter((event) => (event === one) !== events.includes(event)));
  return (
    <form ref={form} noValidate className="stack" onSubmit={(event) => void handleSubmit(event)}>
      <InputField
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://shop.example/plinth"
        maxLength={WEBHOOK_URL_MAX_LENGTH}
        value={url}
        disabled={add.isPending}
        error={wrong?.field === 'url' ? wrong.sentence : undefined}
        onChange={({ currentTarget }) => {
          setUrl(currentTarget.value);
          setWrong(null);
        }}
      />
      <fieldset className="field" disabled={add.isPending}>
        <legend className="label">Tell it when</legend>
        {webhookEvents.map((one) => (
          <label key={one} className="endpoint-event">
            <input type="checkbox" checked={events.includes(one)} onChange={() => toggle(one)} />
            {eventNames[one]}
          </label>
        ))}
        {wrong?.field === 'events' && <span className="hint is-wrong">{wrong.sentence}</span>}
      </fieldset>
      {wrong?.field === null && <ErrorBox>{wrong.sentence}</ErrorBox>}
      <div className="at-start">
        <Button type="submit" icon={<Icon name="plus" />} disabled={!isOnline} busy={add.isPending && 'Adding...'}>
          Add endpoint
        </Button>
      </div>
    </form>
  );
}

function explain(cause: unknown): Wrong {
  const { code, message } = toApiError(cause);
  return { field: code === 'url_not_allowed' ? 'url' : null, sentence: message };
}
