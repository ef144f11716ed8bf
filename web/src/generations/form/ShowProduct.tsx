import type { ReactNode } from 'react';
import type { Marks } from '@plinth/contract/marks';
import { stepsOf } from '../../marks/marks.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedImage } from '../check-image.ts';
import { useMemory } from '../memory.ts';
import { PaintOver } from './PaintOver.tsx';

type ShowProductProps = {
  picked: PickedImage;
  /** What was found in it, where that is not in the photo's own answer. */
  candidate?: Marks['box'] | null | undefined;
  apply: { label: string; cost?: string };
  onMarks: (marks: Marks) => void;
  children: (open: () => void, icon: ReactNode) => ReactNode;
};

export function ShowProduct({ picked, candidate, apply, onMarks, children }: ShowProductProps) {
  const { file, marks, subject } = picked;
  const id = `${file.name} ${file.size}`;
  const painted = useMemory(({ steps }) => steps[id]);
  const box = candidate ?? subject?.box ?? undefined;
  return (
    <PaintOver
      pictureId={id}
      photo={file}
      readCutout={null}
      title="Show us the product"
      line="Draw the box around the product. Paint with Keep or Remove where it needs help."
      earlier={painted ?? stepsOf(marks ?? (box === undefined ? {} : { box }))}
      apply={{ ...apply, note: '' }}
      onMarks={onMarks}
    >
      {(open) => children(open, <Icon name="box" />)}
    </PaintOver>
  );
}
