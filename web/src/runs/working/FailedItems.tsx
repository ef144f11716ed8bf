import { useState } from 'react';
import { isTerminal } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { takesMarks, useServedTool } from '../../generations/useTools.ts';
import { inOurLanguage } from '../../platform/server-sentences.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { say } from '../../ui/toast.tsx';
import { FileButton } from '../upload/FileButton.tsx';
import { nameOf, ReasonGroups, RunSection } from './ReasonGroups.tsx';
import { MarkQueue, type ToMark } from './MarkQueue.tsx';
import { Thumb } from '../upload/Thumb.tsx';
import { usePhotoIds } from '../photo-acts.ts';
import { useRunActs } from './useRunActs.ts';

export function FailedItems({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const acts = useRunActs(run);
  const canMend = run.status !== 'canceled';
  const failed = items.filter(({ generation }) => isEnded(generation.status, canMend));
  const photoIds = usePhotoIds(run.id);
  const { entry } = useServedTool(run.tool);
  const canMark = canMend && takesMarks(entry);
  const [queue, setQueue] = useState<readonly ToMark[]>([]);
  const thumb = ({ id }: RunItem) => <Thumb photoId={photoIds.get(id)} />;
  const here = (some: readonly RunItem[]): ToMark[] =>
    some.flatMap((item) => (photoIds.has(item.id) ? [{ item, photoId: photoIds.get(item.id) }] : []));
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
            cost={plural(sumCosts(again), 'credit')}
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
          {plural(sumCosts(failed), 'credit')} returned.
        </p>
      )}
      <ReasonGroups
        items={failed}
        noun="photo"
        say={sayFailure}
        nameOf={nameOf}
        thumb={thumb}
        forAll={(some) =>
          canMend && some.length > 1 && <ForAll items={some} here={here(some)} {...{ canMark, acts, setQueue }} />
        }
        acts={(item) => (
          <FailedActs
            run={run}
            item={item}
            isKept={photoIds.has(item.id)}
            canMend={canMend}
            onMark={canMark ? (photo) => setQueue([{ item, photoId: photoIds.get(item.id), ...photo }]) : undefined}
            onDrop={() => void acts.drop(item)}
          />
        )}
      />
      <MarkQueue run={run} queue={queue} onQueue={setQueue} />
    </RunSection>
  );
}

type ForAllProps = {
  items: readonly RunItem[];
  /** Those whose photos this browser has. */
  here: readonly ToMark[];
  canMark: boolean;
  acts: ReturnType<typeof useRunActs>;
  setQueue: (queue: readonly ToMark[]) => void;
};

function ForAll({ items, here, canMark, acts, setQueue }: ForAllProps) {
  return (
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

type FailedActsProps = {
  run: Run;
  item: RunItem;
  isKept: boolean;
  canMend: boolean;
  /** Where it can be marked: with the photo that this browser kept, or with one that is given here. */
  onMark: ((given: Pick<ToMark, 'photo'>) => void) | undefined;
  onDrop: () => void;
};

function FailedActs({ run, item, isKept, canMend, onMark, onDrop }: FailedActsProps) {
  const { replace, isBusy } = useRunActs(run);
  const name = nameOf(item);
  const marking = { icon: <Icon name="box" />, disabled: isBusy };
  const choose = (photo: File) => {
    if (isOf(item, photo)) return onMark?.({ photo });
    say.wrong(`This is ${photo.name}. Choose ${name} to mark it, or use “Other photo”.`, { id: 'other-photo' });
  };
  return (
    <>
      {onMark && !isKept && (
        <FileButton {...marking} label="Choose it to mark it" name={`Choose it to mark it: ${name}`} onFile={choose} />
      )}
      {onMark && isKept && (
        <Button {...marking} aria-label={`Mark it: ${name}`} onClick={() => onMark({})}>
          Mark it
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
    </>
  );
}

/** Whether this may be its photo, by the name: the server keeps the beginning of a long one. */
const isOf = ({ filename }: RunItem, { name }: File) => simplify(name).startsWith(simplify(filename ?? ''));
const simplify = (name: string) => name.normalize('NFC').toLowerCase();

const sumCosts = (items: readonly RunItem[]) => items.reduce((sum, { generation }) => sum + generation.cost, 0);
