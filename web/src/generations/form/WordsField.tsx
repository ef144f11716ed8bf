import type { ImageField, ToolField } from '@plinth/contract/tool';
import '../generations.css';
import { ChoiceField } from './ChoiceField.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { SceneField } from './SceneField.tsx';

type WordsFieldProps = {
  name: string;
  field: Exclude<ToolField, ImageField>;
  value: string;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (value: string) => void;
};

export function WordsField({ field, value, ...shared }: WordsFieldProps) {
  switch (field.kind) {
    case 'text':
      return <SceneField {...shared} field={field} value={value} />;
    case 'choice':
      return <ChoiceField {...shared} field={field} value={value || (field.options[0]?.value ?? '')} />;
    case 'model':
      return <ModelPicker {...shared} field={field} value={value} />;
    case 'marks':
    case 'placement':
    case 'variant':
      // Shown on the picture, or another press of the button: not filled in.
      return null;
  }
}
