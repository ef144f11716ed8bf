import type { PackId } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import { tools, type ToolId, nameTool } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { useState } from 'react';
import { WordsField } from '../../generations/form/WordsField.tsx';
import { LookEditor } from '../../looks/LookEditor.tsx';
import { LookSelect } from '../../looks/LookSelect.tsx';
import { useLooks } from '../../looks/useLooks.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogFrame } from '../../ui/above/DialogFrame.tsx';
import { InputField, SelectField } from '../../ui/fields/Field.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { FormError } from '../../ui/fields/useForm.ts';
import { hasLook, packsFor, type RunForm, runTools, sharedFields } from '../run-form.ts';

type RunFieldsProps = {
  form: RunForm;
  wrong: FormError | null;
  isLocked: boolean;
  onChange: (part: Partial<RunForm>) => void;
};

export function RunFields({ form, wrong, isLocked, onChange }: RunFieldsProps) {
  const tool: Tool = tools[form.tool];
  const errorOf = (name: string) => (wrong?.fields.includes(name) ? 'run-refusal' : undefined);
  return (
    <>
      <InputField
        label="Name"
        name="name"
        value={form.name}
        maxLength={100}
        autoComplete="off"
        readOnly={isLocked}
        aria-required="true"
        aria-invalid={errorOf('name') !== undefined}
        aria-describedby={errorOf('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <SelectField
        label="Tool"
        options={runTools.map((id) => ({
          value: id,
          label: `${nameTool(tools[id])}, ${plural(tools[id].cost, 'credit')}`,
        }))}
        value={form.tool}
        disabled={isLocked}
        onChange={(toolId) => onChange({ tool: toolId as ToolId })}
      />
      {sharedFields(tool).map(([name, field]) => (
        <WordsField
          key={name}
          name={name}
          field={field}
          value={form.texts[name] ?? ''}
          isLocked={isLocked}
          errorId={errorOf(name)}
          onChange={(value) => onChange({ texts: { ...form.texts, [name]: value } })}
        />
      ))}
      <PackChoice {...{ form, isLocked, onChange }} />
      {hasLook(tool) && <RunLook {...{ form, isLocked, onChange }} errorId={errorOf('heightCm')} />}
    </>
  );
}

type PartProps = Omit<RunFieldsProps, 'wrong'>;

function PackChoice({ form, isLocked, onChange }: PartProps) {
  const offered = packsFor(tools[form.tool]);
  if (offered.length === 0) return null;
  const isChosen = (id: PackId) => form.packs.includes(id);
  const toggle = (id: PackId) =>
    onChange({ packs: isChosen(id) ? form.packs.filter((one) => one !== id) : [...form.packs, id] });
  const count = offered.filter(isChosen).length;
  return (
    <details>
      <summary className="label">
        Files for shops
        <span className="caption in-line">
          {count === 0 ? 'Optional, free' : `${formatCount(count)} chosen`}
          <Icon name="down" size={16} />
        </span>
      </summary>
      <fieldset className="cluster" aria-label="Files for shops" disabled={isLocked}>
        {offered.map((id) => (
          <label key={id} className="badge">
            <input type="checkbox" checked={isChosen(id)} onChange={() => toggle(id)} />
            {packs[id].name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function RunLook({ form, isLocked, errorId, onChange }: PartProps & { errorId: string | undefined }) {
  const { lookId, heightCm } = form;
  const looks = useLooks();
  const [isOpen, setIsOpen] = useState(false);
  const choose = (chosen: string | null) => onChange({ lookId: chosen, heightCm: '' });
  const hasScale = looks?.find(({ id }) => id === lookId)?.scale === 'height';
  return (
    <div className="stack">
      <LookSelect value={lookId} isLocked={isLocked} onChange={choose} />
      {(hasScale || heightCm !== '') && (
        <InputField
          label="Height of each product, cm"
          name="heightCm"
          aside="Optional"
          hint="For photos whose list names none: all mugs of 9.5 cm stand as high, on one line."
          inputMode="decimal"
          value={heightCm}
          readOnly={isLocked}
          aria-invalid={errorId !== undefined}
          aria-describedby={errorId}
          onChange={({ currentTarget }) => onChange({ heightCm: currentTarget.value.trim() })}
        />
      )}
      <Button atStart icon={<Icon name="brush" />} disabled={isLocked} onClick={() => setIsOpen(true)}>
        Shadow, margins, canvas
      </Button>
      {isOpen && (
        <DialogFrame title="Looks" onClose={() => setIsOpen(false)}>
          <LookEditor lookId={lookId} mediaId={null} onChoose={choose} />
        </DialogFrame>
      )}
    </div>
  );
}
