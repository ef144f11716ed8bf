import { useEffect, useRef } from 'react';
import type { NewWebhookEndpoint } from '@plinth/contract/webhooks';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { say } from '../ui/toast.tsx';

/** The secret of a new endpoint, for as long as the person looks at it; nobody can show it again. */
export function EndpointSecret({ endpoint, onSaved }: { endpoint: NewWebhookEndpoint; onSaved: () => void }) {
  const { secret, url } = endpoint;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const handleCopy = () =>
    void navigator.clipboard.writeText(secret).then(
      () => say.done('Copied.', { id: 'endpoint-secret' }),
      () => say.wrong('Please copy it by hand.', { id: 'endpoint-secret' }),
    );
  return (
    <div className="endpoint-secret" role="group" aria-labelledby="endpoint-secret-title">
      <h3 className="ui endpoint-title" id="endpoint-secret-title" ref={title} tabIndex={-1}>
        The secret of your new endpoint
      </h3>
      <p className="small">
        With it your server checks that a message to <span className="endpoint-url">{url}</span> comes from us. It is
        shown this once.
      </p>
      <code className="endpoint-code">{secret}</code>
      <div className="endpoint-acts">
        <Button icon={<Icon name="copy" />} onClick={handleCopy}>
          Copy
        </Button>
        <Button look="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </div>
  );
}
