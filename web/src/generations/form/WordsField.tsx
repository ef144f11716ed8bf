import type { ChoiceField, ImageField, ToolField } from '@plinth/contract/tool';
import '../generations.css';
import { chosenOf } from '../drafts.ts';
import { SelectField } from '../../ui/fields/Field.tsx';
import { Segmented } from '../../ui/fields/Segmented.tsx';
import { VERSIONS } from '../form-fingerprint.ts';
import { ModelPicker } from './ModelPicker.tsx';
import { SceneField } from './SceneField.tsx';

export type WordsProps<Field = Exclude<ToolField, ImageField>> = {
  name: string;
  field: Field;
  value: string;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (value: string) => void;
};

export function WordsField({ field, value, ...shared }: WordsProps) {
  switch (field.kind) {
    case 'text':
      return <SceneField {...shared} field={field} value={value} />;
    case 'choice':
      return <Choice {...shared} field={field} value={chosenOf(field, value)} />;
    case 'model':
      return <ModelPicker {...shared} field={field} value={value} />;
    case 'variant':
      return <Versions {...shared} field={field} value={value || '1'} />;
    case 'marks':
    case 'placement':
      // Shown on the picture, not filled in.
      return null;
  }
}

function Choice({ name, field, value, isLocked, errorId, onChange }: WordsProps<ChoiceField>) {
  const instead = field.instead?.[value];
  return (
    <SelectField
      label={field.label}
      hint={instead && <span role="status">{instead}</span>}
      name={name}
      options={field.options}
      value={value}
      disabled={isLocked}
      aria-invalid={errorId !== undefined}
      aria-describedby={errorId}
      onChange={onChange}
    />
  );
}

function Versions({ name, value, isLocked, onChange }: WordsProps) {
  return (
    <div className="spread" data-field={name}>
      <span className="control-text" aria-hidden="true">
        Versions
      </span>
      <Segmented
        label="Versions to make"
        names={VERSIONS}
        value={value as `${keyof typeof VERSIONS}`}
        isOff={isLocked}
        onChange={onChange}
      />
    </div>
  );
}
