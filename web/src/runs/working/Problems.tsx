import { useState } from 'react';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { beforeUrl, previewUrl } from '@plinth/contract/media';
import { takesMarks, useServedTool } from '../../generations/useTools.ts';
import { inOurLanguage } from '../../platform/server-sentences.ts';
import { UndoBar } from '../../ui/above/UndoBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePhotos, type Photo } from '../photos.ts';
import { priceOfRun } from '../run-form.ts';
import { sayMissing } from '../run-sentences.ts';
import { FileButton } from '../upload/FileButton.tsx';
import { Thumb } from '../upload/Thumb.tsx';
import { useUploads } from '../upload/useUploads.ts';
import { MarkQueue } from './MarkQueue.tsx';
import { nameOf, ReasonGroups, SmallPicture } from './ReasonGroups.tsx';
import { useLeaveOut, useRunActions } from './useRunActions.ts';

type Items = readonly RunItem[];

export function FailedItems({ run, items }: { run: Run; items: Items }) {
  const actions = useRunActions(run);
  const canMend = run.status !== 'canceled';
  const leaving = useLeaveOut(run);
  const { isLeft, waiting } = leaving;
  const failed = items.filter(
    ({ id, generation: { status } }) =>
      (status === 'failed' || (canMend && status === 'canceled')) && (!isLeft(id) || waiting.includes(id)),
  );
  const kept = failed.filter(({ id }) => !isLeft(id));
  const { entry } = useServedTool(run.tool);
  const canMark = ({ generation }: RunItem) => canMend && takesMarks(entry) && generation.input !== null;
  const [queue, setQueue] = useState<Items>([]);
  // A refused photo would be refused again; a deleted one cannot be sent.
  const again = kept.filter(
    (item) => item.generation.status === 'failed' && item.generation.input !== null && !isRefused(item),
  );
  if (failed.length === 0) return null;
  return (
    <>
      <ReasonGroups
        title={`${plural(failed.length, 'photo')} did not work`}
        right={
          canMend &&
          again.length > 0 && (
            <Button
              icon={<Icon name="again" />}
              busy={actions.isBusy && 'Sending...'}
              asksServer
              cost={plural(sumCosts(again), 'credit')}
              onClick={() => actions.retry(again)}
            >
              {sayAgain(again.length, kept.length)}
            </Button>
          )
        }
        line={failed.every(({ generation }) => generation.refunded) && <Returned credits={sumCosts(failed)} />}
        items={failed}
        sayCount={sayPhotos}
        say={({ generation: { error } }) => inOurLanguage(error?.message ?? tools[run.tool].says.failed)}
        thumb={({ generation }) => generation.input && <SmallPicture src={beforeUrl(generation.id, 320)} />}
        groupActions={(some) =>
          canMend &&
          some.length > 1 && <GroupActions {...{ actions, canMark, leaving }} items={some} onMark={setQueue} />
        }
        actions={(item) => <FailedActions {...{ run, canMark, leaving, item }} onMark={setQueue} />}
      />
      {waiting.length > 0 && <UndoBar says={`${plural(waiting.length, 'photo')} left out`} onUndo={leaving.undo} />}
      <MarkQueue run={run} queue={queue} onQueue={setQueue} />
    </>
  );
}

type ActionsProps = {
  canMark: (item: RunItem) => boolean;
  leaving: ReturnType<typeof useLeaveOut>;
  onMark: (queue: Items) => void;
};
type GroupActionsProps = ActionsProps & { actions: ReturnType<typeof useRunActions>; items: Items };

function GroupActions({
  actions: { isBusy },
  canMark,
  leaving: { isLeft, leaveOut },
  items,
  onMark,
}: GroupActionsProps) {
  const kept = items.filter(({ id }) => !isLeft(id));
  const markable = kept.filter(canMark);
  return (
    <div className="cluster failed-acts">
      {items.every(isRefused) && markable.length > 0 && (
        <Button icon={<Icon name="box" />} asksServer onClick={() => onMark(markable)}>
          {markable.length === 1 ? 'Show us the product' : 'Mark them one after the other'}
        </Button>
      )}
      <Button
        look="borderless"
        asksServer
        disabled={isBusy || kept.length === 0}
        onClick={() => leaveOut(...kept.map(({ id }) => id))}
      >
        Leave all out
      </Button>
    </div>
  );
}

const sayPhotos = (count: number) => plural(count, 'photo');
const isRefused = ({ generation }: RunItem) => generation.error?.code === 'provider_rejected';

function sayAgain(again: number, failed: number): string {
  if (failed === 1) return 'Try it again';
  return again === failed ? `Try all ${formatCount(again)} again` : `Try ${formatCount(again)} of them again`;
}

function FailedActions({ run, canMark, leaving, item, onMark }: ActionsProps & { run: Run; item: RunItem }) {
  const { replace, isBusy } = useRunActions(run);
  const isLeft = leaving.isLeft(item.id);
  const isOff = isBusy || isLeft;
  const name = nameOf(item);
  return (
    <>
      {canMark(item) && (
        <Button
          icon={<Icon name="box" />}
          asksServer
          aria-label={`Show us the product: ${name}`}
          disabled={isOff}
          onClick={() => onMark([item])}
        >
          Show us the product
        </Button>
      )}
      {run.status !== 'canceled' && (
        <FileButton
          label="Other photo"
          name={`Other photo for ${name}`}
          busy={isBusy && 'Sending...'}
          disabled={isLeft}
          onFile={(file) => replace(item, file)}
        />
      )}
      <Button
        look="borderless"
        aria-label={`${isLeft ? 'Left' : 'Leave'} out ${name}`}
        disabled={isOff}
        onClick={() => leaving.leaveOut(item.id)}
      >
        {isLeft ? 'Left out' : 'Leave out'}
      </Button>
    </>
  );
}

/** Credits that came back for items of a canceled run. Those at work come back one by one. */
export const returnedFor = (items: Items) =>
  sumCosts(items.filter(({ generation: { status, refunded } }) => status === 'canceled' && refunded));

export function Returned({ credits }: { credits: number }) {
  return (
    <p className="small in-line is-good figures">
      <Icon name="returned" />
      {plural(credits, 'credit')} returned.
    </p>
  );
}

const sumCosts = (items: Items) => items.reduce((sum, { generation }) => sum + generation.cost, 0);

export function MissingFiles({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const lacking = items.filter(({ missingFiles }) => missingFiles.length > 0);
  const tool = tools[run.tool];
  if (lacking.length === 0) return null;
  return (
    <ReasonGroups
      title={`${plural(lacking.length, 'picture')} ${lacking.length === 1 ? 'lacks' : 'lack'} a marketplace file`}
      line={
        <p className="small">
          The archive holds the pictures themselves, but not these files. The others are complete.
        </p>
      }
      items={lacking}
      sayCount={(count) => plural(count, 'picture')}
      say={({ missingFiles }) => sayMissing(tool, missingFiles).join(' ')}
      thumb={({ generation: { result } }) =>
        result && <SmallPicture src={previewUrl(result.mediaId, 320)} isCutout={tool.shows.kind === 'cutout'} />
      }
      actions={(item) => <LargerPhoto run={run} item={item} />}
    />
  );
}

function LargerPhoto({ run, item }: { run: Run; item: RunItem }) {
  const { replace, isBusy } = useRunActions(run);
  const isTooSmall = item.missingFiles.some(({ refusal }) => refusal === 'picture_too_small');
  if (!isTooSmall || run.status === 'canceled') return null;
  const price = plural(priceOfRun(run), 'credit');
  return (
    <FileButton
      label="Larger photo"
      name={`Larger photo, ${price}, for ${nameOf(item)}`}
      cost={price}
      asksServer
      busy={isBusy && 'Sending...'}
      onFile={(file) => replace(item, file)}
    />
  );
}

export function RefusedPhotos({ photos }: { photos: readonly Photo[] }) {
  const uploads = useUploads();
  const files = usePhotos((known) => known.files);
  const refused = photos.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return null;
  const leaveOut = (some: readonly Photo[]) => uploads.leaveOut(some.map(({ id }) => id));
  return (
    <ReasonGroups
      title={`${plural(refused.length, 'photo')} not taken`}
      right={<Button onClick={() => leaveOut(refused)}>Go on without {refused.length === 1 ? 'it' : 'them'}</Button>}
      items={refused}
      sayCount={sayPhotos}
      say={({ refusal }) => refusal ?? ''}
      thumb={({ id }) => <Thumb blob={files[id]} />}
      actions={(photo) => (
        <>
          {photo.isUnanswered === true && (
            <Button aria-label={`Try ${photo.name} again`} onClick={() => uploads.again(photo)}>
              Try again
            </Button>
          )}
          <FileButton
            label="Other photo"
            name={`Other photo for ${photo.name}`}
            onFile={(file) => uploads.replace(photo, file)}
          />
          <Button look="borderless" aria-label={`Leave out ${photo.name}`} onClick={() => leaveOut([photo])}>
            Leave out
          </Button>
        </>
      )}
    />
  );
}
