import { useState, type ReactNode } from 'react';
import type { MarkEditorProps } from '../../marks/MarkEditor.tsx';
import { keepSteps } from '../memory.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const MarkEditor = lazyPart(async () => (await import('../../marks/MarkEditor.tsx')).MarkEditor);

type PaintOverProps = Omit<MarkEditorProps, 'onSteps' | 'onClose' | 'onApply'> & {
  onMarks: MarkEditorProps['onApply'];
  children: (open: () => void) => ReactNode;
};

/** A control that opens the editor of marks. What was painted and not sent is kept by the picture's id. */
export function PaintOver({ onMarks, children, ...editor }: PaintOverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { pictureId } = editor;
  const close = () => setIsOpen(false);
  return (
    <>
      {children(() => setIsOpen(true))}
      {isOpen && (
        <MarkEditor
          {...editor}
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
