import { useState } from 'react';
import { type Look, packshotPreviewUrl, standardLook } from '@plinth/contract/looks';
import { useOnline } from '../platform/online.ts';
import { saveBlob } from '../platform/save-file.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { InputField } from '../ui/Field.tsx';
import { Icon } from '../ui/icons.tsx';
import { say } from '../ui/toast.tsx';
import { LookFields } from './LookFields.tsx';
import { LookSelect } from './LookSelect.tsx';
import { readLookFile } from './look-file.ts';
import './looks.css';
import { type GivenLook, useLookActs, useLooks } from './useLooks.ts';
import { useSettled } from './useSettled.ts';

type LookEditorProps = {
  lookId: string | null;
  /** The cut-out that is shown by the look; null where there is none yet. */
  mediaId: string | null;
  onChoose: (lookId: string | null) => void;
};

const FRESH: GivenLook = { name: '', ...standardLook };

/** Chooses a look, shows what it does, and changes, saves, deletes, exports and imports looks. */
export function LookEditor({ lookId, mediaId, onChoose }: LookEditorProps) {
  const looks = useLooks();
  const chosen = looks?.find(({ id }) => id === lookId);
  return <Editor key={chosen?.id ?? ''} chosen={chosen} mediaId={mediaId} onChoose={onChoose} />;
}

type EditorProps = { chosen: Look | undefined } & Pick<LookEditorProps, 'mediaId' | 'onChoose'>;

function Editor({ chosen, mediaId, onChoose }: EditorProps) {
  const [look, setLook] = useState<GivenLook>(chosen ?? FRESH);
  const { save, remove } = useLookActs();
  const isOnline = useOnline();
  const { id: _id, ...settings } = look;
  // Another name makes another look.
  const isSame = chosen !== undefined && look.name === chosen.name;
  const change = (part: Partial<GivenLook>) => setLook({ ...look, ...part });
  const store = (given: GivenLook) => save.mutate(toSend(given), { onSuccess: ({ id }) => onChoose(id) });
  return (
    <div className={mediaId === null ? 'look-editor alone' : 'look-editor'}>
      {mediaId !== null && <Preview mediaId={mediaId} look={look} />}
      <div className="look-form">
        <LookSelect value={chosen?.id ?? null} onChange={onChoose} />
        <LookFields look={look} onChange={change} />
        <InputField
          label="Save as"
          name="look-name"
          autoComplete="off"
          maxLength={100}
          placeholder="White with soft shadow"
          value={look.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <div className="look-acts">
          <Button
            disabled={!isOnline}
            busy={save.isPending && 'Saving...'}
            onClick={() => store({ ...settings, ...(isSame && { id: chosen.id }) })}
          >
            {isSame ? 'Save' : 'Save as new'}
          </Button>
          {chosen !== undefined && (
            <>
              <Button look="bare" icon={<Icon name="download" />} onClick={() => exportLook(chosen)}>
                Export
              </Button>
              <Button
                look="bare"
                icon={<Icon name="trash" />}
                disabled={!isOnline}
                onClick={() => {
                  // First nothing asks for pictures by it any more.
                  onChoose(null);
                  remove.mutate(chosen.id);
                }}
              >
                Delete
              </Button>
            </>
          )}
          <ImportButton onRead={store} />
        </div>
      </div>
    </div>
  );
}

/** As the server draws it, once the last change has stood a moment. */
function Preview({ mediaId, look }: { mediaId: string; look: GivenLook }) {
  const { id: _id, name: _name, ...settings } = toSend(look);
  const url = useSettled(packshotPreviewUrl(mediaId, settings));
  return (
    <div className="look-shown checker">
      <img src={url} width={640} height={640} alt="The packshot by this look" />
    </div>
  );
}

function ImportButton({ onRead }: { onRead: (look: GivenLook) => void }) {
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const look = readLookFile(await file.text());
    if (look === null) say.wrong('This file is no look. Export one as JSON and import that.', { id: 'look' });
    else onRead(look);
  };
  return (
    <label className={`${buttonClass({ look: 'bare' })} look-import`}>
      <Icon name="folder" />
      Import
      <input
        type="file"
        className="sr-only"
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          void read(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

function exportLook(look: Look): void {
  const name = look.name.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  saveBlob(new Blob([JSON.stringify(look, null, 2)], { type: 'application/json' }), `${name}.look.json`);
}

/** Only what a look has; what was exported brings its id and its day along. */
function toSend({ id, name, shadow, shadowAngle, margin, canvas, size, scale, align }: GivenLook): GivenLook {
  const rest = { name, shadow, shadowAngle, margin, canvas, size, scale, align };
  return id === undefined ? rest : { id, ...rest };
}
