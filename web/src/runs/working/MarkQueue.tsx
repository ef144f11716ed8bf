import { lazy, Suspense, useCallback } from 'react';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { keepSteps, useMemory } from '../../generations/memory.ts';
import { stepsOf, type Step } from '../../marks/marks.ts';
import { plural } from '../../ui/format.ts';
import { useKeptFile } from '../upload/useKeptPhotos.ts';
import { nameOf } from './ItemRow.tsx';
import { useRunActs } from './useRunActs.ts';

const MarkEditor = lazy(async () => ({ default: (await import('../../marks/MarkEditor.tsx')).MarkEditor }));

/** A photo to be marked: the one that was chosen for it, else the one that this browser kept. */
export type ToMark = { item: RunItem; photo?: File; photoId?: string | undefined };

type MarkQueueProps = { run: Run; queue: readonly ToMark[]; onQueue: (left: readonly ToMark[]) => void };

/** Photos that are marked one after the other. What was drawn and not sent is kept by the generation's id. */
export function MarkQueue({ run, queue, onQueue }: MarkQueueProps) {
  const [next, ...rest] = queue;
  if (next === undefined) return null;
  return (
    <MarkNext
      key={next.item.id}
      run={run}
      toMark={next}
      left={rest.length}
      onNext={() => onQueue(rest)}
      onStop={() => onQueue([])}
    />
  );
}

type MarkNextProps = { run: Run; toMark: ToMark; left: number; onNext: () => void; onStop: () => void };

function MarkNext({ run, toMark: { item, photo, photoId }, left, onNext, onStop }: MarkNextProps) {
  const { replace } = useRunActs(run);
  const kept = useKeptFile(photo === undefined ? photoId : undefined);
  const { id, candidate } = item.generation;
  const drawn = useMemory(({ steps }) => steps[id]) ?? [];
  const keep = useCallback((steps: readonly Step[]) => keepSteps(id, steps), [id]);
  const file = photo ?? kept;
  if (file === undefined) return null;
  return (
    <Suspense>
      <MarkEditor
        pictureId={id}
        photo={file}
        readCutout={null}
        title={`Show us the product: ${nameOf(item)}`}
        line="Draw the box around the product. Paint with Keep or Remove where it needs help."
        earlier={drawn.length > 0 ? drawn : stepsOf(candidate ?? {})}
        apply={{
          label: left === 0 ? 'Try again' : 'Try again, next photo',
          cost: plural(tools[run.tool].cost, 'credit'),
          note: left === 0 ? '' : `${left + 1} to mark`,
        }}
        onSteps={keep}
        onClose={onStop}
        onApply={(marks) => {
          replace(item, file, nameOf(item), marks);
          onNext();
        }}
      />
    </Suspense>
  );
}
