import { useState } from 'react';
import { isTerminal } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { takesMarks, useServedTool } from '../../generations/useTools.ts';
import { inOurLanguage } from '../../platform/server-sentences.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { FileButton } from '../upload/FileButton.tsx';
import { groupByReason, ItemRow, nameOf, ReasonGroup, RunSection } from './ItemRow.tsx';
import { MarkQueue, type ToMark } from './MarkQueue.tsx';
import { Thumb } from '../upload/Thumb.tsx';
import { usePhotoIds } from '../photos.ts';
import { useRunActs } from './useRunActs.ts';

export function FailedItems({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const acts = useRunActs(run);
  const canMend = run.status !== 'canceled';
  const failed = items.filter(({ generation }) => isEnded(generation.status, canMend));
  const photoIds = usePhotoIds(run.id);
  const sayFailure = ({ generation: { error } }: RunItem) =>
    inOurLanguage(error?.message ?? tools[run.tool].says.failed);
  // A photo that was refused would be refused again.
  const again = items.filter((item) => item.generation.status === 'failed' && !isRefused(item));
  if (failed.length === 0) return null;
  return (
    <RunSection
      title={`${plural(failed.length, 'photo')} did not work`}
      right={
        canMend &&
        again.length > 0 && (
          <Button
            icon={<Icon name="again" />}
            busy={acts.isBusy && 'Sending...'}
            asksServer
            cost={plural(again.length * tools[run.tool].cost, 'credit')}
            onClick={() => void acts.retry(again)}
          >
            {sayAgain(again.length, failed.length)}
          </Button>
        )
      }
    >
      {failed.every(({ generation }) => generation.refunded) && (
        <p className="notice is-good figures">
          <Icon name="returned" />
          {plural(failed.length * tools[run.tool].cost, 'credit')} returned.
        </p>
      )}
      {groupByReason(failed, sayFailure).map(([reason, some]) => (
        <FailedGroup
          key={reason}
          run={run}
          reason={reason}
          items={some}
          photoIds={photoIds}
          canMend={canMend}
          acts={acts}
        />
      ))}
    </RunSection>
  );
}

type FailedGroupProps = {
  run: Run;
  reason: string;
  items: readonly RunItem[];
  photoIds: ReadonlyMap<string, string>;
  canMend: boolean;
  acts: ReturnType<typeof useRunActs>;
};

function FailedGroup({ run, reason, items, photoIds, canMend, acts }: FailedGroupProps) {
  const { entry } = useServedTool(run.tool);
  const [queue, setQueue] = useState<readonly ToMark[]>([]);
  const canMark = canMend && takesMarks(entry);
  const here = items.flatMap((item) => (photoIds.has(item.id) ? [{ item, photoId: photoIds.get(item.id) }] : []));
  return (
    <ReasonGroup
      reason={reason}
      noun="photo"
      thumbs={items.map(({ id }) => (
        <Thumb key={id} photoId={photoIds.get(id)} />
      ))}
      acts={
        canMend &&
        items.length > 1 && (
          <div className="cluster failed-acts">
            {canMark && items.every(isRefused) && here.length > 0 && (
              <Button icon={<Icon name="box" />} asksServer onClick={() => setQueue(here)}>
                {here.length === 1 ? 'Mark it' : 'Mark them one after the other'}
              </Button>
            )}
            {canMark && here.length > 0 && here.length < items.length && (
              <span className="caption">{plural(here.length, 'photo')} in this browser</span>
            )}
            <Button look="borderless" asksServer disabled={acts.isBusy} onClick={() => void acts.drop(...items)}>
              Leave all out
            </Button>
          </div>
        )
      }
    >
      {items.map((item) => (
        <FailedRow
          key={item.id}
          run={run}
          item={item}
          photoId={photoIds.get(item.id)}
          canMend={canMend}
          onMark={canMark ? (photo) => setQueue([{ item, photoId: photoIds.get(item.id), ...photo }]) : undefined}
          onDrop={() => void acts.drop(item)}
        />
      ))}
      <MarkQueue run={run} queue={queue} onQueue={setQueue} />
    </ReasonGroup>
  );
}

const isRefused = ({ generation }: RunItem) => generation.error?.code === 'provider_rejected';

function sayAgain(again: number, failed: number): string {
  if (failed === 1) return 'Try it again';
  return again === failed ? `Try all ${formatCount(again)} again` : `Try ${formatCount(again)} of them again`;
}

function isEnded(status: RunItem['generation']['status'], canMend: boolean): boolean {
  if (!isTerminal(status) || status === 'succeeded') return false;
  return status === 'failed' || canMend;
}

type FailedRowProps = {
  run: Run;
  item: RunItem;
  photoId: string | undefined;
  canMend: boolean;
  /** Where it can be marked: with the photo that this browser kept, or with one that is given here. */
  onMark: ((given: Pick<ToMark, 'photo'>) => void) | undefined;
  onDrop: () => void;
};

function FailedRow({ run, item, photoId, canMend, onMark, onDrop }: FailedRowProps) {
  const { replace, isBusy } = useRunActs(run);
  const name = nameOf(item);
  const marking = { label: 'Mark it', name: `Mark it: ${name}`, icon: <Icon name="box" />, disabled: isBusy };
  return (
    <ItemRow thumb={<Thumb photoId={photoId} />} name={name} sku={item.sku}>
      {onMark && photoId === undefined && <FileButton {...marking} onFile={(photo) => onMark({ photo })} />}
      {onMark && photoId !== undefined && (
        <Button icon={marking.icon} aria-label={marking.name} disabled={isBusy} onClick={() => onMark({})}>
          {marking.label}
        </Button>
      )}
      {canMend && (
        <FileButton
          label="Other photo"
          name={`Other photo for ${name}`}
          busy={isBusy && 'Sending...'}
          onFile={(file) => replace(item, file, file.name)}
        />
      )}
      <Button look="borderless" aria-label={`Leave out ${name}`} disabled={isBusy} onClick={onDrop}>
        Leave out
      </Button>
    </ItemRow>
  );
}
