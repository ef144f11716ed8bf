import { useState } from 'react';
import { sentences } from '@plinth/contract/errors';
import type { Tool } from '@plinth/contract/tool';
import { useNow } from '../../platform/clock.ts';
import { Button } from '../../ui/Button.tsx';
import { formatElapsed, formatSize, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Track } from '../../ui/Track.tsx';
import { unfinished, useFollowed } from '../followed.ts';
import type { Work } from '../useGeneration.ts';
import { useToolInUse } from '../useTool.ts';
import { useUsualTime } from '../useTools.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

export function ProgressCard() {
  const { toolId, tool, work } = useToolInUse();
  const now = useNow(1000);
  const usual = useUsualTime(toolId, tool);
  const { isLooking, sending, generation } = work;
  const elapsedMs = generation === null ? 0 : Math.max(0, now - Date.parse(generation.createdAt));
  const message = sending
    ? `Sending your photo, ${formatSize(sending.sent)} of ${formatSize(sending.total)}`
    : sayStep(work);
  const percent = generation?.progress.percent ?? null;
  return (
    <div className="stage-card paper">
      <ol className="steps">
        {generation !== null && (
          <li className="in-line">
            <Icon name="check" />
            {sentences.checkingCredits}
            <span className="sr-only"> (done)</span>
          </li>
        )}
        <li className="in-line is-current" aria-current="step">
          <span className="spinner" aria-hidden="true" />
          <span className="grows">{message}</span>
          {generation !== null && <span className="caption figures">{formatElapsed(elapsedMs)}</span>}
        </li>
      </ol>
      <Track label={sayStep(work)} share={sending ? sending.sent / sending.total : percent && percent / 100} />
      <p className="small">
        {elapsedMs > usual.lateMs ? 'Taking longer than usual. Still working.' : usual.says}{' '}
        {isLooking || sending
          ? 'Keep this page open until your photo has arrived.'
          : 'You can leave this page, the result will be in your history.'}
      </p>
      <div className="cluster">
        <Button disabled={generation === null} onClick={work.startAnother}>
          Start another
        </Button>
        <CancelButton />
      </div>
    </div>
  );
}

/** Current step without numbers, for screen readers. */
export function sayStep({ isLooking, sending, generation }: Work): string {
  if (isLooking) return 'Looking for your product';
  return sending ? 'Sending your photo' : (generation?.progress.message ?? sentences.checkingCredits);
}

const CancelQuestion = lazyPart(async () => (await import('../../ui/above/CancelQuestion.tsx')).CancelQuestion);

function CancelButton() {
  const { tool, work } = useToolInUse();
  const { generation, isChecking, isLooking, cancel, sending, stopSending } = work;
  const [isAsking, setIsAsking] = useState<boolean | null>(null);
  const isRunning = generation?.status === 'running';
  const { followed } = useFollowed();
  const isOneOfSeveral = unfinished(followed).some(({ id }) => id !== generation?.id && work.row.includes(id));
  const isCanceling = generation?.cancelRequested === true;
  return (
    <>
      <Button
        look="borderless"
        disabled={(isChecking && !isLooking && sending === null) || isCanceling}
        onClick={() => (isLooking || sending ? stopSending() : isRunning ? setIsAsking(true) : void cancel())}
      >
        {isCanceling ? 'Canceling' : isOneOfSeveral ? 'Cancel this version' : 'Cancel'}
      </Button>
      {isAsking !== null && (
        <CancelQuestion
          title="Cancel this generation?"
          action="Cancel generation"
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          onCancel={() => void cancel()}
        >
          {sayCancel(tool, generation?.cost ?? tool.cost)}
        </CancelQuestion>
      )}
    </>
  );
}

function sayCancel({ mediaType }: Tool, cost: number): string {
  if (cost === 0) return 'It stops. What you had before stays.';
  const [come, stay] = cost === 1 ? ['comes', 'credit stays'] : ['come', 'credits stay'];
  const thing = mediaType === 'product_image' ? 'picture' : 'video';
  return `It stops and its ${plural(cost, 'credit')} ${come} back. If it finishes first, you keep the ${thing} and the ${stay} spent.`;
}
