import { useState } from 'react';
import { beforeUrl } from '@plinth/contract/media';
import type { Run, RunItem } from '@plinth/contract/runs';
import { useQuery } from '@tanstack/react-query';
import { stepsOf, type Step } from '../../marks/marks.ts';
import { useApi } from '../../platform/useApi.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { plural } from '../../ui/format.ts';
import { priceOfRun } from '../run-form.ts';
import { nameOf } from './ReasonGroups.tsx';
import { useRunActions } from './useRunActions.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const MarkEditor = lazyPart(async () => (await import('../../marks/MarkEditor.tsx')).MarkEditor);

type MarkQueueProps = { run: Run; queue: readonly RunItem[]; onQueue: (left: readonly RunItem[]) => void };

/** Marks photos one after the other. Unsent marks are kept as long as the list. */
export function MarkQueue({ run, queue, onQueue }: MarkQueueProps) {
  const [drawn, setDrawn] = useState<Readonly<Record<string, readonly Step[]>>>({});
  const { mark } = useRunActions(run);
  const api = useApi();
  const [item, ...rest] = queue;
  const id = item?.generation.id ?? '';
  const { data: photo, isError } = useQuery<Blob>({
    queryKey: ['before', id],
    queryFn: () => api.file(beforeUrl(id, 1280)),
    enabled: item !== undefined,
  });
  if (item === undefined) return null;
  if (photo === undefined)
    return (
      <div role="alert">
        {isError && (
          <ErrorBox action={<Button onClick={() => onQueue(rest)}>{rest.length > 0 ? 'Next photo' : 'Close'}</Button>}>
            This photo could not be loaded.
          </ErrorBox>
        )}
      </div>
    );
  return (
    <MarkEditor
      key={id}
      pictureId={id}
      photo={photo}
      title={`Show us the product: ${nameOf(item)}`}
      earlier={drawn[item.id] ?? stepsOf(item.generation.candidate ?? {})}
      apply={{
        label: rest.length === 0 ? 'Try again' : 'Try again, next photo',
        cost: plural(priceOfRun(run), 'credit'),
        note: rest.length === 0 ? '' : `${queue.length} to mark`,
      }}
      onSteps={(steps) => setDrawn((before) => ({ ...before, [item.id]: steps }))}
      onClose={() => onQueue([])}
      onApply={(marks) => {
        mark(item, marks);
        onQueue(rest);
      }}
    />
  );
}
