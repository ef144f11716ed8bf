import type { ToolField } from '@plinth/contract/tool';
import { AtHand } from './AtHand.tsx';
import type { PickedImage } from '../check-image.ts';
import { pictureOf, textOf, type Draft } from '../drafts.ts';
import { showProduct } from '../subject.ts';
import { ImageField } from './ImageField.tsx';
import type { Pictures } from './usePictures.ts';
import { WordsField } from './WordsField.tsx';

type FormFieldProps = {
  name: string;
  field: ToolField;
  draft: Draft;
  isLocked: boolean;
  errorId: string | undefined;
  isDropTarget: boolean;
  pictures: Pictures;
  isMarkable: boolean;
  /** Whether nothing could be made of the photo. */
  isRefused: boolean;
  onChange: (value: PickedImage | string | null) => void;
};

export function FormField({
  field,
  draft,
  isDropTarget,
  isMarkable,
  isRefused,
  pictures,
  onChange,
  ...shared
}: FormFieldProps) {
  const { name, isLocked } = shared;
  if (field.kind !== 'image')
    return <WordsField {...shared} field={field} value={textOf(draft, name)} onChange={onChange} />;
  const take = (file: File, isSample?: boolean) => pictures.take(name, file, isSample);
  const picked = pictureOf(draft, name);
  return (
    <ImageField
      {...shared}
      field={field}
      picked={picked}
      refusal={pictures.refusals[name] ?? null}
      isReading={pictures.reading === name}
      isDropTarget={isDropTarget}
      isRefused={isRefused}
      atHand={<AtHand field={field} isLocked={isLocked} onFile={take} />}
      onFile={take}
      onMarks={picked && isMarkable ? (marks) => onChange(showProduct(picked, marks)) : undefined}
      onRemove={() => onChange(null)}
    />
  );
}
