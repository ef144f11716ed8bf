import { useState } from 'react';
import type { Run, RunItem } from '@plinth/contract/runs';
import { stepsOf, type Step } from '../../marks/marks.ts';
import { plural } from '../../ui/format.ts';
import { usePhotoFile } from '../photo-acts.ts';
import { priceOfRun } from '../run-form.ts';
import { nameOf } from './ReasonGroups.tsx';
import { useRunActs } from './useRunActs.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const MarkEditor = lazyPart(async () => (await import('../../marks/MarkEditor.tsx')).MarkEditor);

/** A photo to be marked: the one that was chosen for it, else the one that this browser kept. */
export type ToMark = { item: RunItem; photo?: File; photoId?: string | undefined };

type MarkQueueProps = { run: Run; queue: readonly ToMark[]; onQueue: (left: readonly ToMark[]) => void };

/** Photos that are marked one after the other. What was drawn and not sent stays as long as the list does. */
export function MarkQueue({ run, queue, onQueue }: MarkQueueProps) {
  const [drawn, setDrawn] = useState<Readonly<Record<string, readonly Step[]>>>({});
  const [next, ...rest] = queue;
  if (next === undefined) return null;
  const { id, generation } = next.item;
  return (
    <MarkNext
      key={id}
      run={run}
      toMark={next}
      earlier={drawn[id] ?? stepsOf(generation.candidate ?? {})}
      left={rest.length}
      onNext={() => onQueue(rest)}
      onStop={() => onQueue([])}
      onDrawn={(steps) => setDrawn((before) => ({ ...before, [id]: steps }))}
    />
  );
}

type MarkNextProps = {
  run: Run;
  toMark: ToMark;
  earlier: readonly Step[];
  left: number;
  onNext: () => void;
  onStop: () => void;
  onDrawn: (steps: readonly Step[]) => void;
};

function MarkNext({ run, toMark: { item, photo, photoId }, earlier, left, onNext, onStop, onDrawn }: MarkNextProps) {
  const { replace } = useRunActs(run);
  const kept = usePhotoFile(photoId);
  const file = photo ?? kept;
  if (file === undefined) return null;
  return (
    <MarkEditor
      pictureId={item.generation.id}
      photo={file}
      readCutout={null}
      title={`Show us the product: ${nameOf(item)}`}
      line="Draw the box around the product. Paint with Keep or Remove where it needs help."
      earlier={earlier}
      apply={{
        label: left === 0 ? 'Try again' : 'Try again, next photo',
        cost: plural(priceOfRun(run), 'credit'),
        note: left === 0 ? '' : `${left + 1} to mark`,
      }}
      onSteps={onDrawn}
      onClose={onStop}
      onApply={(marks) => {
        replace(item, file, nameOf(item), marks);
        onNext();
      }}
    />
  );
}
