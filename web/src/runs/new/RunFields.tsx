import { useId } from 'react';
import { tools, type ToolId, nameTool } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { WordsField } from '../../generations/form/WordsField.tsx';
import { InputField } from '../../ui/Field.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
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
      <PackChoice tool={tool} chosen={form.packs} isLocked={isLocked} onChange={(packs) => onChange({ packs })} />
    </>
  );
}

type ToolChoiceProps = { chosen: ToolId; isLocked: boolean; onChoose: (toolId: ToolId) => void };

function ToolChoice({ chosen, isLocked, onChoose }: ToolChoiceProps) {
  const name = useId();
  return (
    <fieldset className="field" disabled={isLocked}>
      <legend className="label">Tool</legend>
      <div className="choice-rows divided">
        {runTools.map((toolId) => (
          <label key={toolId} className="in-line">
            <input type="radio" name={name} checked={toolId === chosen} onChange={() => onChoose(toolId)} />
            <Icon name={tools[toolId].icon} />
            <span className="grows">{nameTool(tools[toolId])}</span>
            <span className="caption figures one-line">{plural(tools[toolId].cost, 'credit')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
