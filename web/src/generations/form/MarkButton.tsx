import { useState, type ReactNode } from 'react';
import type { Marks } from '@plinth/contract/marks';
import type { MarkEditorProps } from '../../marks/MarkEditor.tsx';
import { stepsOf } from '../../marks/marks.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { keepSteps, useMemory } from '../memory.ts';

const MarkEditor = lazyPart(async () => (await import('../../marks/MarkEditor.tsx')).MarkEditor);

type MarkButtonProps = Omit<MarkEditorProps, 'title' | 'earlier' | 'onSteps' | 'onClose' | 'onApply'> & {
  title?: string;
  /** The editor's start if nothing was painted in it. */
  start: Marks;
  onMarks: MarkEditorProps['onApply'];
  children: (open: () => void) => ReactNode;
};

/** A button that opens the mark editor. Unsent marks are kept by the picture's id. */
export function MarkButton({ start, onMarks, children, ...editor }: MarkButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { pictureId } = editor;
  const painted = useMemory(({ steps }) => steps[pictureId]) ?? [];
  const close = () => setIsOpen(false);
  return (
    <>
      {children(() => setIsOpen(true))}
      {isOpen && (
        <MarkEditor
          title="Show us the product"
          {...editor}
          earlier={painted.length === 0 ? stepsOf(start) : painted}
          onSteps={(steps) => keepSteps(pictureId, steps)}
          onClose={close}
          onApply={(marks) => {
            close();
            onMarks(marks);
          }}
        />
      )}
    </>
  );
}
