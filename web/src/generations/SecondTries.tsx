import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import { useNow } from '../platform/clock.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { FixIt } from './FixIt.tsx';
import type { ResultViewProps } from './ResultView.tsx';
import { ReturnMenu } from './ReturnMenu.tsx';
import { UseInMenu } from './UseInMenu.tsx';
import { takesMarks, useServedTool } from './useTools.ts';
import type { useSecondTry } from './useSecondTry.ts';

type SecondTriesProps = ResultViewProps & { second: ReturnType<typeof useSecondTry> };

/** Fix it, another version, on to another tool, or the credit back. */
export function SecondTries({ tool, generation, result, before, second }: SecondTriesProps) {
  const { entry, returnsLeft } = useServedTool(generation.tool);
  const now = useNow(60_000);
  const isOnline = useOnline();
  const isCutout = tool.shows.kind === 'cutout';
  const isFresh = now - Date.parse(generation.finishedAt ?? generation.createdAt) < SECOND_TRY_SECONDS * 1000;
  const canFix = isCutout && takesMarks(entry) && before !== null && generation.redosLeft > 0;
  const canReturn = entry?.returnable === true && returnsLeft > 0 && isFresh && !generation.refunded;
  const hasOthers = result.understood !== undefined && generation.redosLeft > 0;
  if (!canFix && !canReturn && !hasOthers && !isCutout) return null;
  return (
    <div className="second-tries">
      {canFix && (
        <FixIt
          generation={generation}
          mediaId={result.mediaId}
          photo={before}
          isBusy={second.isSending}
          onRedo={second.redo}
        />
      )}
      {hasOthers && (
        <Button
          icon={<Icon name="again" />}
          cost={`free, ${generation.redosLeft} left`}
          disabled={second.isSending || !isOnline}
          onClick={() => void second.redo({})}
        >
          Another version
        </Button>
      )}
      {isCutout && <UseInMenu mediaId={result.mediaId} />}
      {canReturn && (
        <ReturnMenu
          tool={tool}
          isBusy={second.isSending || !isOnline}
          onReason={(reason) => void second.giveBack(reason)}
        />
      )}
    </div>
  );
}
