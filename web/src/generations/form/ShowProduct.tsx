import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import type { Marks } from '@plinth/contract/marks';
import { stepsOf, type Step } from '../../marks/marks.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedImage } from '../check-image.ts';
import { keepSteps, useMemory } from '../memory.ts';

export const MarkEditor = lazy(async () => ({ default: (await import('../../marks/MarkEditor.tsx')).MarkEditor }));

type ShowProductProps = {
  picked: PickedImage;
  /** What was found in it, where that is not in the photo's own answer. */
  candidate?: Marks['box'] | null | undefined;
  apply: { label: string; cost?: string };
  onMarks: (marks: Marks) => void;
  children: (open: () => void, icon: ReactNode) => ReactNode;
};

export function ShowProduct({ picked, candidate, apply, onMarks, children }: ShowProductProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { file, marks, subject } = picked;
  const id = `${file.name} ${file.size}`;
  const painted = useMemory(({ steps }) => steps[id]);
  const box = candidate ?? subject?.box ?? undefined;
  const keep = useCallback((steps: readonly Step[]) => keepSteps(id, steps), [id]);
  const close = (steps: readonly Step[]) => {
    keep(steps);
    setIsOpen(false);
  };
  return (
    <>
      {children(() => setIsOpen(true), <Icon name="box" />)}
      {isOpen && (
        <Suspense>
          <MarkEditor
            pictureId={id}
            photo={file}
            readCutout={null}
            title="Show us the product"
            line="Draw the box around the product. Paint with Keep or Remove where it needs help."
            earlier={painted ?? stepsOf(marks ?? (box === undefined ? {} : { box }))}
            apply={{ ...apply, note: '' }}
            onSteps={keep}
            onClose={close}
            onApply={(shown, steps) => {
              close(steps);
              onMarks(shown);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
