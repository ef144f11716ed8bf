import { useState } from 'react';
import type { Run, RunItem } from '@plinth/contract/runs';
import { stepsOf, type Step } from '../../marks/marks.ts';
import { plural } from '../../ui/format.ts';
import { priceOfRun } from '../run-form.ts';
import { nameOf } from './ReasonGroups.tsx';
import { useRunActs } from './useRunActs.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const MarkEditor = lazyPart(async () => (await import('../../marks/MarkEditor.tsx')).MarkEditor);

/** An item to be marked, with its photo. */
export type ToMark = { item: RunItem; photo: Blob };

type MarkQueueProps = { run: Run; queue: readonly ToMark[]; onQueue: (left: readonly ToMark[]) => void };

/** Photos that are marked one after the other. What was drawn and not sent stays as long as the list does. */
export function MarkQueue(props: MarkQueueProps) {
  const [drawn, setDrawn] = useState<Readonly<Record<string, readonly Step[]>>>({});
  const [next] = props.queue;
  if (next === undefined) return null;
  const { id, generation } = next.item;
  return (
    <MarkNext
      key={id}
      {...props}
      {...next}
      earlier={drawn[id] ?? stepsOf(generation.candidate ?? {})}
      onDrawn={(steps) => setDrawn((before) => ({ ...before, [id]: steps }))}
    />
  );
}

type MarkNextProps = MarkQueueProps & ToMark & { earlier: readonly Step[]; onDrawn: (steps: readonly Step[]) => void };

function MarkNext({ run, queue, onQueue, item, photo, earlier, onDrawn }: MarkNextProps) {
  const { replace } = useRunActs(run);
  const rest = queue.slice(1);
  return (
    <MarkEditor
      pictureId={item.generation.id}
      photo={photo}
      readCutout={null}
      title={`Show us the product: ${nameOf(item)}`}
      line="Draw the box around the product. Paint with Keep or Remove where it needs help."
      earlier={earlier}
      apply={{
        label: rest.length === 0 ? 'Try again' : 'Try again, next photo',
        cost: plural(priceOfRun(run), 'credit'),
        note: rest.length === 0 ? '' : `${queue.length} to mark`,
      }}
      onSteps={onDrawn}
      onClose={() => onQueue([])}
      onApply={(marks) => {
        replace(item, photo, nameOf(item), marks);
        onQueue(rest);
      }}
    />
  );
}
