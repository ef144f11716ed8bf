import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import type { Generation } from '@plinth/contract/generations';
import { findMarksField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { useNow } from '../../platform/clock.ts';
import { useOnline } from '../../platform/online.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FixIt } from './FixIt.tsx';
import { ReturnMenu } from './ReturnMenu.tsx';
import { findMarkable } from '../subject.ts';
import type { SecondTry } from '../useToolInUse.ts';
import { UseInMenu } from './UseInMenu.tsx';
import { useServedTool } from '../useTools.ts';

export type SecondTriesProps = {
  tool: Tool;
  generation: Generation;
  result: NonNullable<Generation['result']>;
  /** The photo that the product was cut out of; null where it is not at hand. */
  cutFrom: Blob | null;
  isFormFree: boolean;
  second: SecondTry;
};

export function SecondTries({ tool, generation, result, cutFrom, isFormFree, second }: SecondTriesProps) {
  const { entry, returnsLeft } = useServedTool(generation.tool);
  const now = useNow(60_000);
  const isOnline = useOnline();
  const isCutout = tool.shows.kind === 'cutout';
  const isFresh = now - Date.parse(generation.finishedAt ?? generation.createdAt) < SECOND_TRY_SECONDS * 1000;
  const marks = findMarksField(tool, findMarkable(tool, entry) ?? '');
  const canRedo = generation.redosLeft > 0;
  const canReturn = entry?.returnable === true && returnsLeft > 0 && isFresh && !generation.refunded;
  const hasOthers = !isFormFree && result.understood !== undefined && canRedo;
  if (!canReturn && !hasOthers && !isCutout && (marks === undefined || !canRedo)) return null;
  return (
    <div className="cluster second-tries">
      {marks !== undefined && cutFrom !== null && canRedo && (
        <FixIt
          generation={generation}
          photo={cutFrom}
          cutoutId={isCutout ? result.mediaId : null}
          isBusy={second.isSending}
          onMarks={(shown) => second.redo({ [marks]: shown })}
        />
      )}
      {hasOthers && (
        <Button
          icon={<Icon name="again" />}
          cost={`free, ${generation.redosLeft} left`}
          asksServer
          disabled={second.isSending}
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
