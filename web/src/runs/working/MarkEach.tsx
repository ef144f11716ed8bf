import { useState } from 'react';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { useOnline } from '../../platform/online.ts';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useKeptFile } from '../upload/useKeptPhotos.ts';
import { MarkPhoto } from './MarkPhoto.tsx';
import { useRunActs } from './useRunActs.ts';

type MarkEachProps = {
  run: Run;
  items: readonly RunItem[];
  photoIds: ReadonlyMap<string, string>;
};

export function MarkEach({ run, items, photoIds }: MarkEachProps) {
  const isOnline = useOnline();
  const [queue, setQueue] = useState<readonly RunItem[]>([]);
  const here = items.filter(({ id }) => photoIds.has(id));
  const [next] = queue;
  const isTold = here.length < items.length && here.length > 0;
  if (here.length === 0) return null;
  return (
    <>
      <Button icon={<Icon name="box" />} disabled={!isOnline} onClick={() => setQueue(here)}>
        {here.length === 1 ? 'Mark it' : 'Mark them one after the other'}
      </Button>
      {isTold && <span className="caption">{plural(here.length, 'photo')} in this browser</span>}
      {next !== undefined && (
        <MarkNext
          key={next.id}
          run={run}
          item={next}
          photoId={photoIds.get(next.id)}
          left={queue.length}
          onNext={() => setQueue((all) => all.slice(1))}
          onStop={() => setQueue([])}
        />
      )}
    </>
  );
}

type MarkNextProps = {
  run: Run;
  item: RunItem;
  photoId: string | undefined;
  left: number;
  onNext: () => void;
  onStop: () => void;
};

function MarkNext({ run, item, photoId, left, onNext, onStop }: MarkNextProps) {
  const { replace } = useRunActs(run);
  const file = useKeptFile(photoId);
  const { filename, sku } = item;
  const name = filename ?? sku ?? 'Photo';
  if (file === undefined) return null;
  return (
    <MarkPhoto
      item={item}
      photo={file}
      title={`Show us the product: ${name}`}
      apply={{
        label: left === 1 ? 'Try again' : 'Try again, next photo',
        cost: plural(tools[run.tool].cost, 'credit'),
        note: left === 1 ? 'The last one' : `${left} to mark`,
      }}
      onClose={onStop}
      onApply={(marks) => {
        replace(item, file, name, marks);
        onNext();
      }}
    />
  );
}
