import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Run } from '@plinth/contract/runs';
import { useCredits } from '../../credits/useCredits.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { useIsLate } from '../../ui/Delayed.tsx';
import { formatCount, formatSize, formatRemaining } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { priceOfRun } from '../run-form.ts';
import type { Photo } from '../photos.ts';
import { needsUser, useUploadState, type Obstacle } from '../upload/upload-state.ts';
import { useUploads } from '../upload/useUploads.ts';
import { useRunActions } from './useRunActions.ts';

const sentences: Record<Obstacle, string | null> = {
  paused: null,
  credits:
    'There are no credits for the next photo. The photos left wait here, unpaid. With credits it goes on by itself.',
  connection: 'No connection. It goes on by itself as soon as it is back.',
  'too many': 'So much is waiting already that we pause for a moment. It goes on by itself.',
  server: 'The server does not answer just now. It goes on by itself.',
};

const ELSEWHERE_AFTER_MS = 2000;

type UploadPanelProps = {
  run: Run;
  photos: readonly Photo[];
  /** False while another tab of this browser uploads them, undefined if none does. */
  isOurs: boolean | undefined;
};

/** Keeps its place once all have arrived: what is below it stands still. */
export function UploadPanel({ run, photos, isOurs }: UploadPanelProps) {
  const left = photos.filter(({ state }) => state === 'waiting');
  const [hasBegun, setHasBegun] = useState(false);
  if (!hasBegun && isOurs !== undefined && left.length > 0) setHasBegun(true);
  // The run stays open for a moment after its last photo has arrived.
  const isElsewhere = useIsLate(isOurs === undefined && run.status === 'open', ELSEWHERE_AFTER_MS);
  if (isElsewhere) return <Elsewhere run={run} />;
  return hasBegun && run.status !== 'canceled' && <Uploading {...{ run, photos, left, isOurs }} />;
}

function Uploading({ run, photos, left, isOurs }: UploadPanelProps & { left: readonly Photo[] }) {
  const uploads = useUploads();
  const { obstacle, bytesPerMs, bytesSent } = useUploadState();
  const credits = useCredits();
  const taken = photos.filter(({ state }) => state !== 'refused');
  const bytes = taken.reduce((sum, one) => sum + one.bytes, 0);
  const bytesLeft = left.reduce((sum, { id, bytes: all }) => sum + all - (bytesSent.get(id) ?? 0), 0);
  const rate = obstacle === null ? bytesPerMs : null;
  const leftMs = rate === null ? 0 : bytesLeft / rate;
  const says = obstacle && sentences[obstacle];
  const isStopped = needsUser(obstacle);
  const isPoor = obstacle === 'credits' && credits !== undefined && credits < priceOfRun(run);
  return (
    <div className="surface run-upload cluster spread">
      <div>
        <p className="control-text figures">
          {left.length === 0
            ? 'Uploaded'
            : obstacle === null
              ? 'Uploading'
              : isStopped
                ? 'Upload stopped'
                : 'Upload waiting'}
          : {formatCount(taken.length - left.length)} of {formatCount(taken.length)} photos
        </p>
        <p className="caption figures">
          {formatSize(bytes - bytesLeft)} of {formatSize(bytes)}
          {rate !== null && `, ${formatSize(rate * 1000)} a second`}
          {/* The remaining time is shown in minutes. */}
          {leftMs > 60_000 && `, about ${formatRemaining(leftMs)} to go`}
        </p>
        <progress className="sr-only" aria-label="Upload" value={bytes - bytesLeft} max={bytes} />
        {says !== null && (
          <p className="small is-soon" role="status">
            {says}
          </p>
        )}
        {isOurs === false && <p className="small">Another tab of this browser uploads them.</p>}
      </div>
      {isOurs === true && left.length > 0 && (
        <div className="cluster">
          {obstacle === 'credits' && (
            <Link className={buttonClass({ look: 'primary' })} to="/dashboard/credits">
              Get credits
            </Link>
          )}
          {obstacle === null && (
            <Button aria-label="Pause upload" icon={<Icon name="pause" />} onClick={() => uploads.pause()}>
              Pause
            </Button>
          )}
          {obstacle !== null && !isPoor && (
            <Button icon={<Icon name="play" />} onClick={() => uploads.resume()}>
              {isStopped ? 'Continue' : 'Try now'}
            </Button>
          )}
        </div>
      )}
      {left.length > 0 && (
        <span className="meter" aria-hidden="true" key={run.id}>
          <i style={{ width: `${(100 * (bytes - bytesLeft)) / Math.max(1, bytes)}%` }} />
        </span>
      )}
    </div>
  );
}

function Elsewhere({ run }: { run: Run }) {
  const { close, isBusy } = useRunActions(run);
  return (
    <div className="surface run-upload cluster spread">
      <p className="small">
        This catalogue still takes photos from the browser where it was started. If no more are to come, close it.
      </p>
      <div className="cluster">
        <Button busy={isBusy && 'Closing...'} onClick={close}>
          Close it
        </Button>
      </div>
    </div>
  );
}
