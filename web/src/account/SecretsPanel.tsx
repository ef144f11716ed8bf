import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { AnswerSchema } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { CancelQuestion } from '../ui/above/CancelQuestion.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Loaded, type LoadedQuery } from '../ui/Loaded.tsx';
import { useAction } from '../ui/useAction.ts';
import { useCopy } from '../ui/useCopy.ts';
import { Panel } from './Panel.tsx';

type SecretsPanelProps<Item, Made> = {
  title: string;
  intro: ReactNode;
  /** Path of the list on the server, and its query key. */
  path: string;
  list: LoadedQuery<Item[]>;
  failed: string;
  row: (item: Item, deleteButton: ReactNode) => ReactNode;
  /** Question before a deletion. */
  ask: (item: Item) => { name: string; title: string; says: string };
  action: string;
  keep: string;
  /** Response that creates one. */
  made: AnswerSchema<Made>;
  label: string;
  note?: (made: Made) => ReactNode;
  form: (make: (body: object) => Promise<void>) => ReactNode;
};

/** Lists the secrets of the user's own programs, with a form for a new one, which is shown once. */
export function SecretsPanel<Item extends { id: string }, Made extends { secret?: string | undefined }>(
  props: SecretsPanelProps<Item, Made>,
) {
  const { title, intro, path, list, failed, row, ask, action, keep, label, note, form } = props;
  const api = useApi();
  const queryClient = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  // Stays while the dialog fades out.
  const [asked, setAsked] = useState<Item | null>(null);
  const [isAsking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused element is gone.
  const leadToTitle = () => heading.current?.focus();
  const remove = useAction((own, id: string) => own.command(`${path}/${id}`, { method: 'DELETE' }), {
    stale: [path],
    toastId: path,
    onDone: leadToTitle,
  });
  const make = async (body: object) => {
    const answer = await api.send(path, props.made, { method: 'POST', body });
    void queryClient.invalidateQueries({ queryKey: [path] });
    setMade(answer);
  };
  const handleSaved = () => {
    setMade(null);
    leadToTitle();
  };
  const deleteButton = (item: Item) => (
    <Button
      look="borderless"
      icon={<Icon name="trash" />}
      asksServer
      busy={remove.isPending && remove.variables === item.id && 'Deleting...'}
      // One after the other: only one deletion at a time is tracked.
      disabled={remove.isPending}
      aria-label={`Delete ${ask(item).name}`}
      onClick={() => {
        setAsked(item);
        setAsking(true);
      }}
    >
      Delete
    </Button>
  );
  return (
    <Panel title={title} titleRef={heading}>
      {intro}
      <Loaded query={list} failed={failed}>
        {(all) => all.length > 0 && <ul>{all.map((item) => row(item, deleteButton(item)))}</ul>}
      </Loaded>
      {made?.secret === undefined ? (
        form(make)
      ) : (
        <SecretOnce label={label} secret={made.secret} onSaved={handleSaved}>
          {note?.(made)}
        </SecretOnce>
      )}
      {asked !== null && (
        <CancelQuestion
          title={ask(asked).title}
          action={action}
          keep={keep}
          look="danger"
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          onCancel={() => remove.mutate(asked.id)}
        >
          {ask(asked).says}
        </CancelQuestion>
      )}
    </Panel>
  );
}

type SecretOnceProps = { label: string; secret: string; children: ReactNode; onSaved: () => void };

function SecretOnce({ label, secret, children, onSaved }: SecretOnceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { message, copy } = useCopy('Press Ctrl or Cmd and C to copy it.');
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const copyOrSelect = () => {
    input.current?.select();
    copy(secret);
  };
  return (
    <div className="secret-once stack any-break">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
      <input ref={input} id={id} className="input secret" readOnly value={secret} />
      <p className="small" role="status">
        {message || 'Save it now: it is not shown again.'}
      </p>
      <div className="cluster">
        <Button look="primary" onClick={copyOrSelect}>
          Copy
        </Button>
        <Button look="borderless" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </div>
  );
}
