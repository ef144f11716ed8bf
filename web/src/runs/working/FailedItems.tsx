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
import { nameOf, Problems, SmallPicture } from './Problems.tsx';
import { MarkQueue } from './MarkQueue.tsx';
import { useRunActs } from './useRunActs.ts';

type Items = readonly RunItem[];

export function FailedItems({ run, items }: { run: Run; items: Items }) {
  const acts = useRunActs(run);
  const canMend = run.status !== 'canceled';
  const failed = items.filter(
    ({ generation: { status } }) => status === 'failed' || (canMend && status === 'canceled'),
  );
  const { entry } = useServedTool(run.tool);
  const canMark = ({ generation }: RunItem) => canMend && takesMarks(entry) && generation.input !== null;
  const [queue, setQueue] = useState<Items>([]);
  // A photo that was refused would be refused again; one that is gone cannot be sent.
  const again = failed.filter(
    (item) => item.generation.status === 'failed' && item.generation.input !== null && !isRefused(item),
  );
  if (failed.length === 0) return null;
  return (
    <>
      <Problems
        title={`${plural(failed.length, 'photo')} did not work`}
        right={
          canMend &&
          again.length > 0 && (
            <Button
              icon={<Icon name="again" />}
              busy={acts.isBusy && 'Sending...'}
              asksServer
              cost={plural(sumCosts(again), 'credit')}
              onClick={() => acts.retry(again)}
            >
              {sayAgain(again.length, failed.length)}
            </Button>
          )
        }
        line={
          failed.every(({ generation }) => generation.refunded) && (
            <p className="notice is-good figures">
              <Icon name="returned" />
              {plural(sumCosts(failed), 'credit')} returned.
            </p>
          )
        }
        items={failed}
        noun="photo"
        say={({ generation: { error } }) => inOurLanguage(error?.message ?? tools[run.tool].says.failed)}
        thumb={({ generation }) => generation.input && <SmallPicture src={beforeUrl(generation.id, 320)} />}
        forAll={(some) => canMend && some.length > 1 && <ForAll {...{ run, canMark }} items={some} onMark={setQueue} />}
        acts={(item) => <FailedActs {...{ run, canMark, item }} onMark={setQueue} />}
      />
      <MarkQueue run={run} queue={queue} onQueue={setQueue} />
    </>
  );
}

type ActsProps = { run: Run; canMark: (item: RunItem) => boolean; onMark: (queue: Items) => void };

function ForAll({ run, canMark, items, onMark }: ActsProps & { items: Items }) {
  const { drop, isBusy } = useRunActs(run);
  const markable = items.filter(canMark);
  return (
    <div className="cluster failed-acts">
      {items.every(isRefused) && markable.length > 0 && (
        <Button icon={<Icon name="box" />} asksServer onClick={() => onMark(markable)}>
          {markable.length === 1 ? 'Mark it' : 'Mark them one after the other'}
        </Button>
      )}
      <Button look="borderless" asksServer disabled={isBusy} onClick={() => drop(...items)}>
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

function FailedActs({ run, canMark, item, onMark }: ActsProps & { item: RunItem }) {
  const { replace, drop, isBusy } = useRunActs(run);
  const name = nameOf(item);
  return (
    <>
      {canMark(item) && (
        <Button
          icon={<Icon name="box" />}
          asksServer
          aria-label={`Mark it: ${name}`}
          disabled={isBusy}
          onClick={() => onMark([item])}
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
      <Button look="borderless" aria-label={`Leave out ${name}`} disabled={isBusy} onClick={() => drop(item)}>
        Leave out
      </Button>
    </>
  );
}

const sumCosts = (items: Items) => items.reduce((sum, { generation }) => sum + generation.cost, 0);
