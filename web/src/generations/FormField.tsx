import { lazy, Suspense } from 'react';
import type { ToolField } from '@plinth/contract/tools';
import { AtHand } from './AtHand.tsx';
import { pictureOf, textOf, type Draft } from './drafts.ts';
import { ImageField } from './ImageField.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { SceneField } from './SceneField.tsx';
import type { Pictures } from './usePictures.ts';

// The select weighs 34 KB packed, and half of the tools have nothing to choose.
const ChoiceField = lazy(async () => ({ default: (await import('./ChoiceField.tsx')).ChoiceField }));

type FormFieldProps = {
  name: string;
  field: ToolField;
  draft: Draft;
  userId: string;
  isLocked: boolean;
  /** The form was refused because of this field; the id of the sentence. */
  errorId: string | undefined;
  isDropTarget: boolean;
  pictures: Pictures;
  onChange: (value: string | null) => void;
};

/** One field of a tool, drawn as its kind. */
export function FormField({ field, draft, userId, isDropTarget, pictures, onChange, ...shared }: FormFieldProps) {
  const { name, isLocked } = shared;
  switch (field.kind) {
    case 'image': {
      const take = (file: File, isSample?: boolean) => pictures.take(name, file, isSample);
      return (
        <ImageField
          {...shared}
          field={field}
          picked={pictureOf(draft, name)}
          refusal={pictures.refusals[name] ?? null}
          isReading={pictures.reading === name}
          isDropTarget={isDropTarget}
          atHand={<AtHand field={field} userId={userId} isLocked={isLocked} onFile={take} />}
          onFile={take}
          onRemove={() => onChange(null)}
        />
      );
    }
    case 'text':
      return <SceneField {...shared} field={field} value={textOf(draft, name)} onChange={onChange} />;
    case 'choice':
      return (
        <Suspense fallback={<ChoicePlace label={field.label} />}>
          <ChoiceField
            {...shared}
            field={field}
            value={textOf(draft, name) || (field.options[0]?.value ?? '')}
            onChange={onChange}
          />
        </Suspense>
      );
    case 'model':
      return <ModelPicker {...shared} field={field} value={textOf(draft, name)} onChange={onChange} />;
    case 'marks':
      // Drawn on the picture once it was cut out, not filled in.
      return null;
  }
}

/** Holds the place of a choice until its select is there. */
function ChoicePlace({ label }: { label: string }) {
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div className="input select" />
    </div>
  );
}
