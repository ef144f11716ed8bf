import { tools, type ToolId, nameTool } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { WordsField } from '../../generations/form/WordsField.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
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
