import { useRef, useState, type SubmitEvent } from 'react';
import type { ApiKey } from '@plinth/contract/keys';
import { toApiError } from '../platform/api.ts';
import { Button } from '../ui/Button.tsx';
import { CancelQuestion } from '../ui/CancelQuestion.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/Field.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { useFocusWrong } from '../ui/useFocusWrong.ts';
import { Panel } from './Panel.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import { useKeyActs, useKeys } from './useKeys.ts';

/** What a person's own programs sign in with: made here, shown once, deleted here. */
export function KeysSection() {
  const [secret, setSecret] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  // What had the focus is gone.
  const leadToTitle = () => title.current?.focus();
  const handleSaved = () => {
    setSecret(null);
    leadToTitle();
  };
  return (
    <Panel title="API keys" titleRef={title}>
      <p className="small">
        With a key, your own shop or script makes pictures for your credits.{' '}
        <a className="textlink" href="/developers">
          How that works
        </a>
      </p>
      <KeyRows onRemoved={leadToTitle} />
      {secret === null ? (
        <NewKey onMade={setSecret} />
      ) : (
        <SecretOnce label="Your new key" secret={secret} onSaved={handleSaved} />
      )}
    </Panel>
  );
}

function KeyRows({ onRemoved }: { onRemoved: () => void }) {
  const keys = useKeys();
  const { remove } = useKeyActs();
  const [asked, setAsked] = useState<ApiKey | null>(null);
  if (keys.isPending) return <div className="skeleton access-wait" />;
  if (keys.isError)
    return (
      <ErrorBox action={<Button onClick={() => void keys.refetch()}>Try again</Button>}>
        Your keys could not be loaded.
      </ErrorBox>
    );
  return (
    <>
      {keys.data.length > 0 && (
        <ul className="access-rows">
          {keys.data.map((key) => (
            <li key={key.id} className="access-row">
              <div>
                <b>{key.name}</b> <code className="small">{key.prefix}…</code>
                <p className="small">
                  Made {formatShortDateTime(key.createdAt)},{' '}
                  {key.lastUsedAt === null ? 'never used' : `last used ${formatShortDateTime(key.lastUsedAt)}`}
                </p>
              </div>
              <Button look="bare" aria-label={`Delete ${key.name}`} onClick={() => setAsked(key)}>
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
      {remove.isError && <ErrorBox>{toApiError(remove.error).message}</ErrorBox>}
      <CancelQuestion
        title={`Delete “${asked?.name ?? ''}”?`}
        action="Delete key"
        keep="Keep key"
        look="danger"
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onCancel={() => asked !== null && remove.mutate(asked.id, { onSuccess: onRemoved })}
      >
        Whatever uses it is refused at once. This cannot be undone.
      </CancelQuestion>
    </>
  );
}

function NewKey({ onMade }: { onMade: (secret: string) => void }) {
  const { create } = useKeyActs();
  const [name, setName] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const wrong = create.isError ? toApiError(create.error).message : undefined;
  useFocusWrong(form, create.error, '[name=name]', create.isPending);
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!create.isPending) create.mutate(name, { onSuccess: ({ secret }) => secret !== undefined && onMade(secret) });
  };
  return (
    <form ref={form} noValidate className="stack" onSubmit={handleSubmit}>
      <InputField
        label="Name of a new key"
        name="name"
        autoComplete="off"
        placeholder="My shop"
        value={name}
        error={wrong}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
          create.reset();
        }}
      />
      <div className="at-start">
        <Button type="submit" icon={<Icon name="plus" />} busy={create.isPending && 'Creating...'}>
          Create key
        </Button>
      </div>
    </form>
  );
}
