import { lazy, Suspense, useState } from 'react';
import type { Generation } from '@plinth/contract/generations';
import { previewUrl } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { useMarksOf } from './useMarks.ts';
import type { Change } from './useSecondTry.ts';

/** Nobody who never paints loads it. */
export const MarkEditor = lazy(async () => ({ default: (await import('../marks/MarkEditor.tsx')).MarkEditor }));

type FixItProps = {
  generation: Generation;
  mediaId: string;
  photo: Blob;
  isBusy: boolean;
  onRedo: (change: Change) => Promise<Generation | null>;
};

/**
 * A cut-out that is wrong somewhere: the person paints what belongs to the product, and it is cut out again for free.
 */
export function FixIt({ generation, mediaId, photo, isBusy, onRedo }: FixItProps) {
  const api = useApi();
  const isOnline = useOnline();
  const [isOpen, setIsOpen] = useState(false);
  const { sent, draft = [], keepDraft, remember } = useMarksOf(generation.id);
  const { redosLeft } = generation;
  return (
    <>
      <Button
        icon={<Icon name="brush" />}
        cost={`free, ${redosLeft} left`}
        busy={isBusy && 'Sending...'}
        disabled={!isOnline}
        onClick={() => setIsOpen(true)}
      >
        Fix it
      </Button>
      {isOpen && (
        <Suspense>
          <MarkEditor
            pictureId={generation.id}
            photo={photo}
            readCutout={() => api.bytes(previewUrl(mediaId, 1280))}
            title="Fix it"
            line="Paint what belongs to the product, and what does not."
            sent={sent}
            earlier={draft}
            apply={{ label: 'Apply, free', note: redosLeft === 1 ? '1 free try left' : `${redosLeft} free tries left` }}
            onSteps={keepDraft}
            onClose={(steps) => {
              keepDraft(steps);
              setIsOpen(false);
            }}
            onApply={(marks, steps) => {
              keepDraft(steps);
              setIsOpen(false);
              void onRedo({ marks }).then((accepted) => {
                if (accepted === null) return;
                remember(accepted.id, marks);
                keepDraft([]);
              });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
