import { Suspense, useState } from 'react';
import type { Generation } from '@plinth/contract/generations';
import type { Marks } from '@plinth/contract/marks';
import type { Tool } from '@plinth/contract/tool';
import { stepsOf } from '../marks/marks.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { MarkEditor } from './FixIt.tsx';
import { useMarksOf } from './useMarks.ts';

type ShowProductProps = {
  tool: Tool;
  generation: Generation;
  photo: Blob;
  onMarks: (marks: Marks) => void;
};

/** A photo in which no product could be told from the rest: the person shows it, and the same photo is tried again. */
export function ShowProduct({ tool, generation, photo, onMarks }: ShowProductProps) {
  const isOnline = useOnline();
  const [isOpen, setIsOpen] = useState(false);
  const { sent = {}, draft, keepDraft } = useMarksOf(generation.id);
  return (
    <>
      <Button wide icon={<Icon name="box" />} disabled={!isOnline} onClick={() => setIsOpen(true)}>
        Show us the product
      </Button>
      {isOpen && (
        <Suspense>
          <MarkEditor
            pictureId={generation.id}
            photo={photo}
            readCutout={null}
            title="Show us the product"
            line="Draw the box around the product. Paint with Keep or Remove where it needs help."
            earlier={draft ?? stepsOf(sent)}
            apply={{ label: tool.says.button, cost: plural(tool.cost, 'credit'), note: '' }}
            onSteps={keepDraft}
            onClose={(steps) => {
              keepDraft(steps);
              setIsOpen(false);
            }}
            onApply={(marks, steps) => {
              keepDraft(steps);
              setIsOpen(false);
              onMarks(marks);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
