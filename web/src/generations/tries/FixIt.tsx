import type { Generation } from '@plinth/contract/generations';
import type { Marks } from '@plinth/contract/marks';
import { previewUrl } from '@plinth/contract/media';
import { stepsOf } from '../../marks/marks.ts';
import { useApi } from '../../platform/useApi.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PaintOver } from '../form/PaintOver.tsx';
import { keepSteps, rememberMarks, useMemory } from '../memory.ts';

type FixItProps = {
  generation: Generation;
  photo: Blob;
  cutoutId: string | null;
  isBusy: boolean;
  onMarks: (marks: Marks) => Promise<Generation | null>;
};

export function FixIt({ generation, photo, cutoutId, isBusy, onMarks }: FixItProps) {
  const api = useApi();
  const { id, redosLeft } = generation;
  const sent = useMemory(({ marks }) => marks[id]);
  const painted = useMemory(({ steps }) => steps[id]) ?? [];
  // On a cut-out only what is new is shown; elsewhere it would be seen nowhere else.
  const isShown = cutoutId === null && painted.length === 0 && sent !== undefined;
  const send = async (marks: Marks) => {
    const accepted = await onMarks(marks);
    if (accepted === null) return;
    rememberMarks(accepted.id, marks);
    keepSteps(id, []);
  };
  return (
    <PaintOver
      pictureId={id}
      photo={photo}
      readCutout={cutoutId === null ? null : () => api.file(previewUrl(cutoutId, 1280))}
      title="Fix it"
      line="Paint what belongs to the product, and what does not."
      sent={cutoutId === null ? undefined : sent}
      earlier={isShown ? stepsOf(sent) : painted}
      apply={{ label: 'Apply, free', note: redosLeft === 1 ? '1 free try left' : `${redosLeft} free tries left` }}
      onMarks={(marks) => void send(marks)}
    >
      {(open) => (
        <Button icon={<Icon name="brush" />} busy={isBusy && 'Sending...'} asksServer onClick={open}>
          Fix it
        </Button>
      )}
    </PaintOver>
  );
}
