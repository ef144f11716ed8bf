import { isTerminal } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { takesMarks, useServedTool } from '../../generations/useTools.ts';
import { useOnline } from '../../platform/online.ts';
import { inOurLanguage } from '../../platform/server-sentences.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { FileButton } from '../upload/FileButton.tsx';
import { groupByReason, ItemRow, ReasonGroup, RunSection } from './ItemRow.tsx';
import { MarkEach } from './MarkEach.tsx';
import { MarkItem } from './MarkItem.tsx';
import { Thumb } from '../upload/Thumb.tsx';
import { useKeptPhotos } from '../upload/useKeptPhotos.ts';
import { useRunActs } from './useRunActs.ts';

export function FailedItems({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const acts = useRunActs(run);
  const isOnline = useOnline();
  const canMend = run.status !== 'canceled';
  const failed = items.filter(({ generation }) => isEnded(generation.status, canMend));
  const kept = useKeptPhotos(
    run.id,
    failed.map(({ id }) => id),
  );
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
            disabled={!isOnline}
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
          photoIds={kept}
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
  const isOnline = useOnline();
  const { entry } = useServedTool(run.tool);
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
            {takesMarks(entry) && items.every(isRefused) && <MarkEach run={run} items={items} photoIds={photoIds} />}
            <Button look="borderless" disabled={acts.isBusy || !isOnline} onClick={() => void acts.drop(...items)}>
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
          canMark={takesMarks(entry)}
          onDrop={() => void acts.drop(item)}
        />
      ))}
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
  canMark: boolean;
  onDrop: () => void;
};

function FailedRow({ run, item, photoId, canMend, canMark, onDrop }: FailedRowProps) {
  const { replace, isBusy } = useRunActs(run);
  const { filename, sku } = item;
  const name = filename ?? sku ?? 'Photo';
  return (
    <ItemRow thumb={<Thumb photoId={photoId} />} name={name} sku={sku}>
      {canMend && canMark && (
        <MarkItem
          item={item}
          name={name}
          photoId={photoId}
          cost={tools[run.tool].cost}
          isBusy={isBusy}
          onMarks={(marks, file) => replace(item, file, name, marks)}
        />
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
