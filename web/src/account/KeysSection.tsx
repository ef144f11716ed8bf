import { apiKeySchema, newApiKeySchema } from '@plinth/contract/keys';
import { usePages } from '../platform/pages.ts';
import { Button } from '../ui/Button.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { useTyped } from '../ui/fields/typed.ts';
import { explainAsSaid, useForm } from '../ui/fields/useForm.ts';
import { SecretsPanel } from './SecretsPanel.tsx';

const PATH = '/api/v1/keys';

export function KeysSection() {
  return (
    <SecretsPanel
      title="API keys"
      intro={
        <p className="small">
          With a key, your own shop or script makes pictures for your credits.{' '}
          <a className="textlink" href="/developers">
            How that works
          </a>
        </p>
      }
      path={PATH}
      // There are twenty at most: one page holds them all.
      list={usePages([PATH], PATH, apiKeySchema)}
      failed="Your keys could not be loaded."
      row={({ id, name, prefix, createdAt, lastUsedAt }, deleteButton) => (
        <li key={id} className="access-row spread ruled">
          <div>
            <b>{name}</b> <code className="small">{prefix}…</code>
            <p className="small">
              Made {formatShortDateTime(createdAt)},{' '}
              {lastUsedAt === null ? 'never used' : `last used ${formatShortDateTime(lastUsedAt)}`}
            </p>
          </div>
          {deleteButton}
        </li>
      )}
      ask={({ name }) => ({
        name,
        title: `Delete “${name}”?`,
        says: 'Whatever uses it is refused at once. This cannot be undone.',
      })}
      action="Delete key"
      keep="Keep key"
      made={newApiKeySchema}
      label="Your new key"
      form={(make) => <NewKey make={make} />}
    />
  );
}

function NewKey({ make }: { make: (body: object) => Promise<void> }) {
  const { form, wrong, isSending, submit, clear } = useForm({
    send: (fields) => make({ name: fields.get('name') }),
    explain: explainAsSaid,
    firstField: 'name',
  });
  useTyped(form);
  return (
    <form ref={form} data-typed="key" noValidate className="stack" onSubmit={submit}>
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
