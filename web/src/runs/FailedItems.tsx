import { isTerminal } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { takesMarks, useServedTool } from '../generations/useTools.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { FileButton } from './FileButton.tsx';
import { MarkItem } from './MarkItem.tsx';
import { Thumb } from './Thumb.tsx';
import { useKeptPhotos } from './useKeptPhotos.ts';
import { useReplacement } from './useReplacement.ts';
import { useRunActs } from './useRunActs.ts';

/** What did not work: why, and what can be done about each. In a canceled run nothing can. */
export function FailedItems({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const acts = useRunActs(run);
  const isOnline = useOnline();
  const { entry } = useServedTool(run.tool);
  const canMend = run.status !== 'canceled';
  const failed = items.filter(({ generation }) => isEnded(generation.status, canMend));
  const kept = useKeptPhotos(
    run.id,
    failed.map(({ id }) => id),
  );
  // A photo that was refused would be refused again.
  const again = items.filter(
    ({ generation: { status, error } }) => status === 'failed' && error?.code !== 'provider_rejected',
  );
  if (failed.length === 0) return null;
  return (
    <section className="run-failed" aria-labelledby="run-failed">
      <div className="run-failed-head">
        <h2 className="t2 num" id="run-failed">
          {plural(failed.length, 'photo')} did not work
        </h2>
        {canMend && again.length > 0 && (
          <Button
            icon={<Icon name="again" />}
            busy={acts.isBusy && 'Sending...'}
            disabled={!isOnline}
            cost={plural(again.length * tools[run.tool].cost, 'credit')}
            onClick={() => void acts.retry(again)}
          >
            {sayAgain(again.length, failed.length)}
          </Button>
        )}
      </div>
      {failed.every(({ generation }) => generation.refunded) && (
        <p className="note ok num">
          <Icon name="returned" />
          {plural(failed.length * tools[run.tool].cost, 'credit')} returned.
        </p>
      )}
      <ul className="failed-rows">
        {failed.map((item) => (
          <FailedRow
            key={item.id}
            run={run}
            item={item}
            photoId={kept.get(item.id)}
            canMend={canMend}
            canMark={takesMarks(entry)}
            onDrop={() => void acts.drop(item)}
          />
        ))}
      </ul>
    </section>
  );
}

/** "Try 3 of them again", where the others were refused. */
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
  const { send, isSending } = useReplacement(run.id, item);
  const { generation, filename, sku } = item;
  const name = filename ?? sku ?? 'Photo';
  return (
    <li className="failed-row">
      <Thumb photoId={photoId} />
      <div className="photo-name">
        <b>{name}</b>
        {sku !== null && <span className="tag">{sku}</span>}
        <span className="small wrong">{generation.error?.message ?? tools[run.tool].says.failed}</span>
      </div>
      <div className="failed-acts">
        {canMend && canMark && (
          <MarkItem
            item={item}
            name={name}
            photoId={photoId}
            cost={tools[run.tool].cost}
            isBusy={isSending}
            onMarks={(marks, file) => void send(file, name, marks)}
          />
        )}
        {canMend && (
          <FileButton
            label="Other photo"
            name={`Other photo for ${name}`}
            busy={isSending && 'Sending...'}
            onFile={(file) => void send(file, file.name)}
          />
        )}
        <Button look="bare" aria-label={`Leave out ${name}`} disabled={isSending} onClick={onDrop}>
          Leave out
        </Button>
      </div>
    </li>
  );
}
