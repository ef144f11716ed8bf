import { lazy, Suspense } from 'react';
import type { ImageField, ToolField } from '@plinth/contract/tool';
import '../generations.css';
import { ModelPicker } from './ModelPicker.tsx';
import { SceneField } from './SceneField.tsx';

// The select weighs 34 KB packed, and half of the tools have nothing to choose.
const ChoiceField = lazy(async () => ({ default: (await import('./ChoiceField.tsx')).ChoiceField }));

type WordsFieldProps = {
  name: string;
  field: Exclude<ToolField, ImageField>;
  value: string;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (value: string) => void;
};

/** One field of a tool that is no picture, drawn as its kind. */
export function WordsField({ field, value, ...shared }: WordsFieldProps) {
  switch (field.kind) {
    case 'text':
      return <SceneField {...shared} field={field} value={value} />;
    case 'choice':
      return (
        <Suspense fallback={<ChoicePlace label={field.label} />}>
          <ChoiceField {...shared} field={field} value={value || (field.options[0]?.value ?? '')} />
        </Suspense>
      );
    case 'model':
      return <ModelPicker {...shared} field={field} value={value} />;
    case 'marks':
    case 'placement':
    case 'variant':
      // Shown on the picture, or another press of the button: not filled in.
      return null;
  }
}

function ChoicePlace({ label }: { label: string }) {
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div className="input select" />
    </div>
  );
}
