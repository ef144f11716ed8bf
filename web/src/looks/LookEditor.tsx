import { useEffect, useRef, useState } from 'react';
import { type Look, type LookSettings, lookSettingsSchema, packshotUrl, standardLook } from '@plinth/contract/looks';
import { toApiError } from '../platform/api.ts';
import { saveBlob } from '../platform/save-file.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { InputField } from '../ui/fields/Field.tsx';
import { Icon } from '../ui/icons.tsx';
import { say } from '../ui/above/toast.tsx';
import { FileInput } from '../ui/wells/FileInput.tsx';
import { LookFields } from './LookFields.tsx';
import { LookSelect } from './LookSelect.tsx';
import './looks.css';
import { type GivenLook, readLookFile, useDeleteLook, useLooks, useSaveLook } from './useLooks.ts';

type LookEditorProps = {
  lookId: string | null;
  /** The cut-out in the preview; null if there is none yet. */
  mediaId: string | null;
  onChoose: (lookId: string | null) => void;
  onChange?: (settings: LookSettings) => void;
};

export function LookEditor(props: LookEditorProps) {
  const chosen = useLooks()?.find(({ id }) => id === props.lookId);
  return <Editor key={chosen?.id ?? ''} chosen={chosen} {...props} />;
}

function Editor({ chosen, mediaId, onChoose, onChange }: LookEditorProps & { chosen: Look | undefined }) {
  const saved = lookSettingsSchema.parse(chosen ?? standardLook);
  const [name, setName] = useState(chosen?.name ?? '');
  const [settings, setSettings] = useState(saved);
  const save = useSaveLook();
  const nameInput = useRef<HTMLInputElement>(null);
  // Another name makes another look.
  const isSame = name === chosen?.name;
  const isSaved = JSON.stringify(settings) === JSON.stringify(saved);
  const change = (part: Partial<LookSettings>) => {
    const next = { ...settings, ...part };
    setSettings(next);
    onChange?.(next);
  };
  const refusal = save.error && toApiError(save.error);
  const isNameless = refusal?.code === 'name_required';
  const store = (given: GivenLook) => save.mutate(given, { onSuccess: ({ id }) => onChoose(id) });
  useEffect(() => {
    if (isNameless) nameInput.current?.focus();
  }, [isNameless]);
  return (
    <div className={mediaId === null ? 'look-editor stack' : 'look-editor columns'}>
      {mediaId !== null && <Preview mediaId={mediaId} settings={settings} />}
      <div className="stack">
        <LookSelect value={chosen?.id ?? null} onChange={onChoose} />
        <LookFields look={settings} onChange={change} />
      </div>
      <div className="stack">
        <InputField
          label="Save as"
          ref={nameInput}
          error={isNameless ? refusal.message : undefined}
          name="look-name"
          autoComplete="off"
          maxLength={100}
          placeholder="White with soft shadow"
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            save.reset();
          }}
        />
        <div className="cluster">
          <Button
            asksServer
            busy={save.isPending && 'Saving...'}
            onClick={() => store({ name, ...settings, ...(isSame && { id: chosen.id }) })}
          >
            {isSame ? 'Save' : 'Save as new'}
          </Button>
          {chosen !== undefined && <SavedLookActions look={chosen} onDelete={() => onChoose(null)} />}
          <ImportButton onRead={store} />
          <p className="small" role="status">
            {!isSaved && `Not saved yet: files for marketplaces are still made by ${chosen?.name ?? 'the plain look'}.`}
          </p>
        </div>
      </div>
    </div>
  );
}

function SavedLookActions({ look, onDelete }: { look: Look; onDelete: () => void }) {
  const remove = useDeleteLook();
  const handleExport = () => {
    const name = look.name.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
    saveBlob(new Blob([JSON.stringify(look, null, 2)], { type: 'application/json' }), `${name}.look.json`);
  };
  const handleDelete = () => {
    // Stop all requests for previews of the look first.
    onDelete();
    remove.mutate(look.id);
  };
  return (
    <>
      <Button look="borderless" icon={<Icon name="download" />} onClick={handleExport}>
        Export
      </Button>
      <Button look="borderless" icon={<Icon name="trash" />} asksServer onClick={handleDelete}>
        Delete
      </Button>
    </>
  );
}

const SETTLED_MS = 350;

function Preview({ mediaId, settings }: { mediaId: string; settings: LookSettings }) {
  const url = packshotUrl(mediaId, settings, '/preview');
  const [settled, setSettled] = useState(url);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(url), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [url]);
  return (
    <div className="look-side">
      <div className="look-shown print sticks">
        <img className="checker" src={settled} width={640} height={640} alt="The packshot by this look" />
      </div>
    </div>
  );
}

function ImportButton({ onRead }: { onRead: (look: GivenLook) => void }) {
  const read = async (file: File) => {
    const look = readLookFile(await file.text());
    if (look === null) say.wrong('This file is no look. Export one as JSON and import that.', { id: 'look' });
    else onRead(look);
  };
  return (
    <label className={buttonClass({ look: 'borderless' })}>
      <Icon name="folder" />
      Import
      <FileInput className="sr-only" accept="application/json,.json" onFiles={([file]) => file && void read(file)} />
    </label>
  );
}
