import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ApiKey, apiKeySchema, newApiKeySchema } from '@plinth/contract/keys';
import { toApiError } from '../platform/api.ts';
import { usePages } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { CancelQuestion } from '../ui/above/CancelQuestion.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { useAct } from '../ui/useAct.ts';
import { explainAsSaid, useForm } from '../ui/fields/useForm.ts';
import { Panel } from './Panel.tsx';
import { SecretOnce } from './SecretOnce.tsx';

const KEYS = ['keys'];
const PATH = '/api/v1/keys';

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
  // All of them: there are twenty at most, which is one page.
  const keys = usePages(KEYS, PATH, apiKeySchema);
  const remove = useAct((api, id: string) => api.command(`${PATH}/${id}`, { method: 'DELETE' }), { stale: KEYS });
  const [asked, setAsked] = useState<ApiKey | null>(null);
  return (
    <Loaded query={keys} failed="Your keys could not be loaded.">
      {(all) => (
        <>
          {all.length > 0 && (
            <ul>
              {all.map((key) => (
                <KeyRow key={key.id} apiKey={key} onDelete={() => setAsked(key)} />
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
      )}
    </Loaded>
  );
}

function KeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: () => void }) {
  const { name, prefix, createdAt, lastUsedAt } = apiKey;
  return (
    <li className="access-row spread">
      <div>
        <b>{name}</b> <code className="small">{prefix}…</code>
        <p className="small">
          Made {formatShortDateTime(createdAt)},{' '}
          {lastUsedAt === null ? 'never used' : `last used ${formatShortDateTime(lastUsedAt)}`}
        </p>
      </div>
      <Button look="borderless" aria-label={`Delete ${name}`} onClick={onDelete}>
        Delete
      </Button>
    </li>
  );
}

function NewKey({ onMade }: { onMade: (secret: string) => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { form, wrong, isSending, submit, clear } = useForm({
    send: async (fields) => {
      const body = { name: fields.get('name') };
      const { secret } = await api.send(PATH, newApiKeySchema, { method: 'POST', body });
      void queryClient.invalidateQueries({ queryKey: KEYS });
      if (secret !== undefined) onMade(secret);
    },
    explain: explainAsSaid,
    firstField: 'name',
  });
  return (
    <form ref={form} noValidate className="stack" onSubmit={submit}>
      <InputField
        label="Name of a new key"
        name="name"
        autoComplete="off"
        placeholder="My shop"
        error={wrong?.sentence}
        onChange={clear}
      />
      <Button atStart type="submit" icon={<Icon name="plus" />} busy={isSending && 'Creating...'}>
        Create key
      </Button>
    </form>
  );
}
