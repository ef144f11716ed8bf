import type { ToolField } from '@plinth/contract/tool';
import { pictureOf, textOf } from '../drafts.ts';
import { showProduct } from '../subject.ts';
import { useToolInUse } from '../useToolInUse.ts';
import { AtHand } from './AtHand.tsx';
import { ImageField } from './ImageField.tsx';
import { WordsField } from './WordsField.tsx';

type FormFieldProps = {
  name: string;
  field: ToolField;
  isLocked: boolean;
  errorId: string | undefined;
  isDropTarget: boolean;
};

export function FormField({ field, isDropTarget, ...shared }: FormFieldProps) {
  const { draft, pictures, markable, again, setField } = useToolInUse();
  const { name, isLocked } = shared;
  if (field.kind !== 'image') {
    const change = (value: string) => setField(name, value);
    return <WordsField {...shared} field={field} value={textOf(draft, name)} onChange={change} />;
  }
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
      isRefused={again === 'same refusal'}
      atHand={<AtHand field={field} isLocked={isLocked} onFile={take} />}
      onFile={take}
      onMarks={picked && markable === name ? (marks) => setField(name, showProduct(picked, marks)) : undefined}
      onRemove={() => setField(name, null)}
    />
  );
}
