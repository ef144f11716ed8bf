import { useState } from 'react';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { beforeUrl } from '@plinth/contract/media';
import { takesMarks, useServedTool } from '../../generations/useTools.ts';
import { inOurLanguage } from '../../platform/server-sentences.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { FileButton } from '../upload/FileButton.tsx';
import { nameOf, ReasonGroups, RunSection, SmallPicture } from './ReasonGroups.tsx';
import { MarkQueue } from './MarkQueue.tsx';
import { useRunActs } from './useRunActs.ts';

export function FailedItems({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const acts = useRunActs(run);
  const canMend = run.status !== 'canceled';
  const failed = items.filter(
    ({ generation: { status } }) => status === 'failed' || (canMend && status === 'canceled'),
  );
  const { entry } = useServedTool(run.tool);
  const canMark = ({ generation }: RunItem) => canMend && takesMarks(entry) && generation.input !== null;
  const [queue, setQueue] = useState<readonly RunItem[]>([]);
  // A photo that was refused would be refused again; one that is gone cannot be sent.
  const again = items.filter(
    (item) => item.generation.status === 'failed' && item.generation.input !== null && !isRefused(item),
  );
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
        thumb={({ generation }) => generation.input && <SmallPicture src={beforeUrl(generation.id, 320)} />}
        forAll={(some) =>
          canMend &&
          some.length > 1 && <ForAll items={some} markable={some.filter(canMark)} acts={acts} onMark={setQueue} />
        }
        acts={(item) => (
          <FailedActs run={run} item={item} onMark={canMark(item) ? () => setQueue([item]) : undefined} />
        )}
      />
      <MarkQueue run={run} queue={queue} onQueue={setQueue} />
    </RunSection>
  );
}

type ForAllProps = {
  items: readonly RunItem[];
  /** Those whose photo is still there. */
  markable: readonly RunItem[];
  acts: ReturnType<typeof useRunActs>;
  onMark: (queue: readonly RunItem[]) => void;
};

function ForAll({ items, markable, acts, onMark }: ForAllProps) {
  return (
    <div className="cluster failed-acts">
      {items.every(isRefused) && markable.length > 0 && (
        <Button icon={<Icon name="box" />} asksServer onClick={() => onMark(markable)}>
          {markable.length === 1 ? 'Mark it' : 'Mark them one after the other'}
        </Button>
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

type FailedActsProps = { run: Run; item: RunItem; onMark: (() => void) | undefined };

function FailedActs({ run, item, onMark }: FailedActsProps) {
  const { replace, drop, isBusy } = useRunActs(run);
  const name = nameOf(item);
  return (
    <>
      {onMark && (
        <Button
          icon={<Icon name="box" />}
          asksServer
          aria-label={`Mark it: ${name}`}
          disabled={isBusy}
          onClick={onMark}
        >
          Mark it
        </Button>
      )}
      {run.status !== 'canceled' && (
        <FileButton
          label="Other photo"
          name={`Other photo for ${name}`}
          busy={isBusy && 'Sending...'}
          onFile={(file) => replace(item, file)}
        />
      )}
      <Button look="borderless" aria-label={`Leave out ${name}`} disabled={isBusy} onClick={() => void drop(item)}>
        Leave out
      </Button>
    </>
  );
}

const sumCosts = (items: readonly RunItem[]) => items.reduce((sum, { generation }) => sum + generation.cost, 0);
