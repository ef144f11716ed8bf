import { useEffect, useState } from 'react';
import { Link, useParams } from '@tanstack/react-router';
import type { GenerationStatus } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { findTextField } from '@plinth/contract/tool-fields';
import { nameTool, tools } from '@plinth/contract/tools';
import { isGone } from '../../platform/api.ts';
import { useNow } from '../../platform/clock.ts';
import { Button } from '../../ui/Button.tsx';
import { CancelQuestion } from '../../ui/above/CancelQuestion.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { formatCount, formatRemaining, formatShortDateTime, plural } from '../../ui/format.ts';
import { say } from '../../ui/above/toast.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loaded, Loading } from '../../ui/Loaded.tsx';
import { SaveLink } from '../../ui/SaveLink.tsx';
import { ScreenHead } from '../../ui/ScreenHead.tsx';
import { ItemGrid } from './ItemGrid.tsx';
import { countWithLocal, usePhotosOf } from '../photo-actions.ts';
import { usePhotos } from '../photos.ts';
import { FailedItems, MissingFiles, RefusedPhotos, Returned, returnedFor } from './Problems.tsx';
import '../runs.css';
import { TimeLeft, RunBar } from '../list/RunsScreen.tsx';
import { measureSpeed } from '../upload/speed.ts';
import { UploadPanel } from './UploadPanel.tsx';
import { useRunActions } from './useRunActions.ts';
import { isDeleted, useRun, useRunItems } from '../useRuns.ts';
import { needsUser, useUploadState } from '../upload/upload-state.ts';
import { sayCounts } from '../run-sentences.ts';

const SAY_EVERY_MS = 10_000;
const PACE_EVERY_MS = 5000;

export function RunScreen() {
  const runId = useParams({ strict: false, select: (params) => params.runId }) ?? '';
  const run = useRun(runId);
  const isOver = run.isError && isGone(run.error);
  // The head is the same element before and after the answer, so that the focus stays on its title.
  return (
    <>
      <Link className="run-back caption in-line at-start" to="/dashboard/catalogue">
        <Icon name="back" size={16} />
        All catalogues
      </Link>
      <ScreenHead
        title={run.data?.name ?? 'Catalogue'}
        {...(run.data && { line: describe(run.data), right: <HeadActions run={run.data} /> })}
      />
      {run.data !== undefined && <WholeRun run={run.data} />}
      {run.isPending && <Loading what="your catalogue" />}
      {run.isLoadingError && (
        <ErrorBox action={!isOver && <Button onClick={() => void run.refetch()}>Try again</Button>}>
          {isOver ? 'This catalogue is no longer there.' : 'Your catalogue could not be loaded.'}
        </ErrorBox>
      )}
    </>
  );
}

/** Tool, time and words of a catalogue. */
function describe(run: Run): string {
  const tool = tools[run.tool];
  const ownWords = run.fields[findTextField(tool)?.name ?? ''];
  return [nameTool(tool), formatShortDateTime(run.createdAt), ownWords].filter(Boolean).join(' · ');
}

function WholeRun({ run }: { run: Run }) {
  const items = useRunItems(run);
  const isOurs = useUploadState(({ runs }) => runs.get(run.id));
  const photos = usePhotosOf(run.id);
  const isRead = usePhotos((known) => known.isRead);
  const { counts, toCome } = countWithLocal({ ...run, counts: countAsShown(run, items.data) }, photos);
  const incomplete = items.data?.filter(({ missingFiles }) => missingFiles.length > 0).length ?? run.incomplete;
  const deleted = items.data?.filter(isDeleted).length ?? 0;
  const words = sayCounts({ ...run, counts, incomplete }, toCome, deleted);
  const returned = run.status === 'canceled' ? returnedFor(items.data ?? []) : 0;
  const heard = returned > 0 ? `${words}. ${plural(returned, 'credit')} returned.` : words;
  const announced = useThrottled(heard, SAY_EVERY_MS, toCome + counts.queued + counts.running === 0);
  // The toast's content is shown on this page itself.
  useEffect(() => say.noMore(`run-${run.id}`), [run.id]);
  return (
    <>
      {/* Not before it is known how many photos this browser has still to send. */}
      <section
        className={`run-state stack ${isRead || run.status !== 'open' ? '' : 'hidden-yet'}`}
        aria-label="Progress"
      >
        <RunBar counts={{ ...counts, succeeded: counts.succeeded - deleted }} toCome={toCome + deleted} />
        <p className="run-counts cluster control-text figures">
          <b className="grows">{words}</b>
          <span className="caption">
            <Pace run={run} toCome={toCome} items={items.data ?? []} />
          </span>
        </p>
        {returned > 0 && <Returned credits={returned} />}
        <p className="sr-only" role="status">
          {announced}
        </p>
        <UploadPanel run={run} photos={photos} isOurs={isOurs} />
      </section>
      {isOurs === true && <RefusedPhotos photos={photos} />}
      <Loaded query={items} failed="The pictures of this catalogue could not be loaded." waiting={null}>
        {(all) => (
          <>
            <ItemGrid run={run} items={all} />
            <FailedItems run={run} items={all} />
            <MissingFiles run={run} items={all} />
          </>
        )}
      </Loaded>
    </>
  );
}

/**
 * Throttles a live region: the text changes at most once per interval, so a screen reader keeps up. The final text is
 * immediate.
 */
export function useThrottled(words: string, spanMs: number, isLast: boolean): string {
  const span = useNow(spanMs);
  const [shown, setShown] = useState({ span: 0, words });
  if (shown.words !== words && (isLast || shown.span !== span)) setShown({ span, words });
  return shown.words;
}

/**
 * Counts as the filters do once items are loaded: the run's own counts may be slightly older or, after a dropped
 * connection, newer. Items that are not yet listed wait.
 */
function countAsShown({ counts }: Run, items: readonly RunItem[] | undefined): Run['counts'] {
  if (items === undefined) return counts;
  const total = Math.max(counts.total, items.length);
  const countOf = (wanted: GenerationStatus) => items.filter(({ generation: { status } }) => status === wanted).length;
  return {
    total,
    queued: countOf('queued') + total - items.length,
    running: countOf('running'),
    succeeded: countOf('succeeded'),
    failed: countOf('failed'),
    canceled: countOf('canceled'),
  };
}

function HeadActions({ run }: { run: Run }) {
  const { cancel, isBusy } = useRunActions(run);
  const [isAsking, setAsking] = useState(false);
  const { succeeded } = run.counts;
  const isGoingOn = run.status === 'open' || run.status === 'closed';
  return (
    <div className="cluster head-ways">
      {isGoingOn && (
        <Button look="borderless" busy={isBusy && 'Canceling...'} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      )}
      {succeeded > 0 && (
        <SaveLink
          className={buttonClass({ look: isGoingOn ? 'quiet' : 'primary' })}
          href={`/api/v1/runs/${run.id}/archive`}
        >
          Download archive
        </SaveLink>
      )}
      <CancelQuestion
        title={`Cancel “${run.name}”?`}
        action="Cancel catalogue"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onCancel={cancel}
      >
        What waits is not made, and its credits come back at once. What is ready stays, and the archive holds it.
      </CancelQuestion>
    </div>
  );
}

function Pace({ run, toCome, items }: { run: Run; toCome: number; items: readonly RunItem[] }) {
  const now = useNow(PACE_EVERY_MS);
  const { obstacle } = useUploadState();
  const left = run.counts.queued + run.counts.running + toCome;
  const made = items.map(({ generation }) => ({ at: Date.parse(generation.finishedAt ?? ''), amount: 1 }));
  const pace = measureSpeed(made, Date.parse(run.createdAt), now);
  if (left === 0) return <TimeLeft run={run} />;
  if (toCome > 0 && needsUser(obstacle)) return null;
  if (pace === null) return toCome === 0 && 'You can leave this page.';
  return `${formatCount(Math.max(1, Math.round(pace * 60_000)))} a minute, about ${formatRemaining(left / pace)} to go`;
}
