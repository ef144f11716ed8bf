import { useId } from 'react';
import { tools, type ToolId, nameTool } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { WordsField } from '../../generations/form/WordsField.tsx';
import { Field, InputField } from '../../ui/Field.tsx';
import { plural } from '../../ui/format.ts';
import type { Wrong } from '../../ui/useForm.ts';
import { PackChoice } from './PackChoice.tsx';
import { RunLook } from './RunLook.tsx';
import { hasLook, runTools, sharedFields, type RunForm } from '../run-form.ts';

type RunFieldsProps = {
  form: RunForm;
  wrong: Wrong | null;
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
      <ToolChoice chosen={form.tool} isLocked={isLocked} onChoose={(toolId) => onChange({ tool: toolId })} />
      <PackChoice tool={tool} chosen={form.packs} isLocked={isLocked} onChange={(packs) => onChange({ packs })} />
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
      {hasLook(tool) && <RunLook form={form} isLocked={isLocked} errorId={errorOf('heightCm')} onChange={onChange} />}
    </>
  );
}

type ToolChoiceProps = { chosen: ToolId; isLocked: boolean; onChoose: (toolId: ToolId) => void };

function ToolChoice({ chosen, isLocked, onChoose }: ToolChoiceProps) {
  const id = useId();
  return (
    <Field id={id} label="Tool">
      <select
        id={id}
        className="input"
        value={chosen}
        disabled={isLocked}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as ToolId)}
      >
        {runTools.map((toolId) => (
          <option key={toolId} value={toolId}>
            {`${nameTool(tools[toolId])}, ${plural(tools[toolId].cost, 'credit')}`}
          </option>
        ))}
      </select>
    </Field>
  );
}
