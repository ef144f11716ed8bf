import { lazy, Suspense } from 'react';
import type { Marks } from '@plinth/contract/marks';
import type { RunItem } from '@plinth/contract/runs';
import { stepsOf, type Step } from '../../marks/marks.ts';

const MarkEditor = lazy(async () => ({ default: (await import('../../marks/MarkEditor.tsx')).MarkEditor }));

type MarkPhotoProps = {
  item: RunItem;
  photo: Blob;
  title: string;
  /** What was drawn before; else what the engine proposes. */
  earlier?: readonly Step[];
  apply: { label: string; cost: string; note: string };
  onClose: (drawn: readonly Step[]) => void;
  onApply: (marks: Marks, drawn: readonly Step[]) => void;
};

export function MarkPhoto({ item: { generation }, earlier = [], ...rest }: MarkPhotoProps) {
  return (
    <Suspense>
      <MarkEditor
        {...rest}
        pictureId={generation.id}
        readCutout={null}
        line="Draw the box around the product. Paint with Keep or Remove where it needs help."
        earlier={earlier.length > 0 ? earlier : stepsOf(generation.candidate ?? {})}
      />
    </Suspense>
  );
}
