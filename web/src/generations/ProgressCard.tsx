import { AlertDialog } from '@base-ui/react/alert-dialog';
import { sentences } from '@plinth/contract/errors';
import type { Tool } from '@plinth/contract/tools';
import { useNow } from '../platform/clock.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { formatElapsed, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import type { useGeneration } from './useGeneration.ts';

type Work = ReturnType<typeof useGeneration>;

/** What happens now, since when, and what one may do meanwhile. The steps come from the server. */
export function ProgressCard({ tool, work }: { tool: Tool; work: Work }) {
  const now = useNow(1000);
  const generation = work.isChecking ? null : work.generation;
  const elapsedMs = generation === null ? 0 : Math.max(0, now - Date.parse(generation.createdAt));
  const message = generation?.progress.message ?? sentences.checkingCredits;
  return (
    <div className="busy">
      <ol className="steps">
        {generation !== null && (
          <li className="done">
            <Icon name="check" />
            {sentences.checkingCredits}
            <span className="sr-only"> (done)</span>
          </li>
        )}
        <li className="now" aria-current="step">
          <span className="spin" aria-hidden="true" />
          {message}
          {generation !== null && <span className="tag num">{formatElapsed(elapsedMs)}</span>}
        </li>
      </ol>
      <Track label={message} percent={generation?.progress.percent ?? null} />
      <p className="small">
        {elapsedMs > 2 * tool.usualMs ? 'Taking longer than usual. Still working.' : tool.says.wait} You can leave this
        page, the result will be in your history.
      </p>
      <div className="flex gap-2">
        <Button disabled={generation === null} onClick={work.startAnother}>
          Start another
        </Button>
        <CancelButton tool={tool} work={work} />
      </div>
    </div>
  );
}

function Track({ label, percent }: { label: string; percent: number | null }) {
  const value = percent === null ? {} : { 'aria-valuenow': percent, 'aria-valuemin': 0, 'aria-valuemax': 100 };
  return (
    <div className={percent === null ? 'track' : 'track real'} role="progressbar" aria-label={label} {...value}>
      <i style={percent === null ? undefined : { width: `${percent}%` }} />
    </div>
  );
}

/** What waits is canceled at once; what runs asks first, because it may be done before it hears. */
function CancelButton({ tool, work }: { tool: Tool; work: Work }) {
  const { generation, isChecking, cancel } = work;
  const thing = tool.mediaType === 'product_image' ? 'picture' : 'video';
  const credits = plural(tool.cost, 'credit');
  if (generation?.cancelRequested) {
    return (
      <Button look="bare" disabled>
        Canceling
      </Button>
    );
  }
  if (isChecking || generation?.status !== 'running') {
    return (
      <Button look="bare" disabled={isChecking} onClick={() => void cancel()}>
        Cancel
      </Button>
    );
  }
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger className={buttonClass({ look: 'bare' })}>Cancel</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="t2">Cancel this generation?</AlertDialog.Title>
          <AlertDialog.Description className="small">
            It stops and its {credits} {tool.cost === 1 ? 'comes' : 'come'} back. If it finishes first, you keep the{' '}
            {thing} and the {tool.cost === 1 ? 'credit stays' : 'credits stay'} spent.
          </AlertDialog.Description>
          <div className="dialog-acts">
            <AlertDialog.Close className={buttonClass({ look: 'bare' })}>Keep going</AlertDialog.Close>
            <AlertDialog.Close className={buttonClass({ look: 'primary' })} onClick={() => void cancel()}>
              Cancel generation
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
