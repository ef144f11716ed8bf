import { useState } from 'react';
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
import { usePhotoFiles } from '../photo-acts.ts';
import { useRunActs } from './useRunActs.ts';

export function FailedItems({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const acts = useRunActs(run);
  const canMend = run.status !== 'canceled';
  const failed = items.filter(
    ({ generation: { status } }) => status === 'failed' || (canMend && status === 'canceled'),
  );
  const files = usePhotoFiles(run.id);
  const { entry } = useServedTool(run.tool);
  const canMark = canMend && takesMarks(entry);
  const [queue, setQueue] = useState<readonly ToMark[]>([]);
  const toMark = (item: RunItem, photo = files.get(item.id)): ToMark[] =>
    canMark && photo !== undefined ? [{ item, photo }] : [];
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
        say={({ generation: { error } }) => inOurLanguage(error?.message ?? tools[run.tool].says.failed)}
        thumb={({ id }) => <Thumb blob={files.get(id)} />}
        forAll={(some) =>
          canMend &&
          some.length > 1 && (
            <ForAll items={some} here={some.flatMap((item) => toMark(item))} acts={acts} onMark={setQueue} />
          )
        }
        acts={(item) => (
          <FailedActs
            run={run}
            item={item}
            kept={files.get(item.id)}
            onMark={canMark ? (photo) => setQueue(toMark(item, photo)) : undefined}
          />
        )}
      />
      <MarkQueue run={run} queue={queue} onQueue={setQueue} />
    </RunSection>
  );
}

type ForAllProps = {
  items: readonly RunItem[];
  /** Those that can be marked with the photos that this browser has. */
  here: readonly ToMark[];
  acts: ReturnType<typeof useRunActs>;
  onMark: (queue: readonly ToMark[]) => void;
};

function ForAll({ items, here, acts, onMark }: ForAllProps) {
  return (
    <div className="cluster failed-acts">
      {items.every(isRefused) && here.length > 0 && (
        <Button icon={<Icon name="box" />} asksServer onClick={() => onMark(here)}>
          {here.length === 1 ? 'Mark it' : 'Mark them one after the other'}
        </Button>
      )}
      {here.length > 0 && here.length < items.length && (
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

type FailedActsProps = {
  run: Run;
  item: RunItem;
  /** Its photo, where this browser has it. */
  kept: Blob | undefined;
  onMark: ((photo: Blob) => void) | undefined;
};

function FailedActs({ run, item, kept, onMark }: FailedActsProps) {
  const { replace, drop, isBusy } = useRunActs(run);
  const name = nameOf(item);
  const marking = { icon: <Icon name="box" />, disabled: isBusy };
  const choose = (photo: File) => {
    if (isOf(item, photo)) return onMark?.(photo);
    say.wrong(`This is ${photo.name}. Choose ${name} to mark it, or use “Other photo”.`, { id: 'other-photo' });
  };
  return (
    <>
      {onMark && !kept && (
        <FileButton {...marking} label="Choose it to mark it" name={`Choose it to mark it: ${name}`} onFile={choose} />
      )}
      {onMark && kept && (
        <Button {...marking} aria-label={`Mark it: ${name}`} onClick={() => onMark(kept)}>
          Mark it
        </Button>
      )}
      {run.status !== 'canceled' && (
        <FileButton
          label="Other photo"
          name={`Other photo for ${name}`}
          busy={isBusy && 'Sending...'}
          onFile={(file) => replace(item, file, file.name)}
        />
      )}
      <Button look="borderless" aria-label={`Leave out ${name}`} disabled={isBusy} onClick={() => void drop(item)}>
        Leave out
      </Button>
    </>
  );
}

/** Whether this may be its photo, by the name: the server keeps the beginning of a long one. */
const isOf = ({ filename }: RunItem, { name }: File) => simplify(name).startsWith(simplify(filename ?? ''));
const simplify = (name: string) => name.normalize('NFC').toLowerCase();

const sumCosts = (items: readonly RunItem[]) => items.reduce((sum, { generation }) => sum + generation.cost, 0);
