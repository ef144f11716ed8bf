import { Menu } from '@base-ui/react/menu';
import type { Generation, ReturnReason } from '@plinth/contract/generations';
import { marksSchema, type Marks } from '@plinth/contract/marks';
import { previewUrl } from '@plinth/contract/media';
import { findMarksField, findTextField, pictureFields } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import { stepsOf } from '../../marks/marks.ts';
import { PhotoWays } from '../../media/MoreMenu.tsx';
import { useNow } from '../../platform/clock.ts';
import { useOnline } from '../../platform/online.ts';
import { useApi } from '../../platform/useApi.ts';
import { Button } from '../../ui/Button.tsx';
import { MenuFrame } from '../../ui/above/MenuFrame.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { hasTries } from '../again.ts';
import { MarkButton } from '../form/MarkButton.tsx';
import { keepSteps, useMemory } from '../memory.ts';
import { isFresh } from '../followed.ts';
import { findMarkable } from '../subject.ts';
import type { SecondTry } from '../useSecondTry.ts';
import { narrowTool, useServedTool } from '../useTools.ts';

/** A generation with a result. */
export type Made = Generation & { result: NonNullable<Generation['result']> };

type SecondTriesProps = {
  generation: Made;
  /** The photo that the product was cut out of; null if it is not available. */
  cutFrom: Blob | null;
  /** False beside a form that makes a version itself, or that stands for another picture. */
  offersVersion: boolean;
  second: SecondTry;
};

export function SecondTries({ generation, cutFrom, offersVersion, second }: SecondTriesProps) {
  const { entry, returnsLeft } = useServedTool(generation.tool);
  const tool = narrowTool(generation.tool, entry);
  const { result } = generation;
  // For a free try its first generation is returned, while that is possible.
  const paid = useMemory(({ followed }) => followed.find(({ id }) => id === generation.redoOf)) ?? generation;
  const now = useNow(60_000);
  const isOnline = useOnline();
  const isCutout = tool.shows.kind === 'cutout';
  const marks = findMarksField(tool, findMarkable(tool, entry) ?? '');
  const canRedo = hasTries(generation, now);
  const canReturn = entry?.returnable === true && returnsLeft > 0 && isFresh(paid, now) && !paid.refunded;
  const hasOthers = offersVersion && result.understood !== undefined && canRedo;
  if (!canReturn && !hasOthers && !isCutout && (marks === undefined || !canRedo)) return null;
  return (
    <div className="second-tries">
      {marks !== undefined && cutFrom !== null && canRedo && (
        <FixIt
          generation={generation}
          photo={cutFrom}
          cutoutId={isCutout ? result.mediaId : null}
          field={marks}
          second={second}
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
          cost={paid.cost}
          isBusy={second.isSending || !isOnline}
          onReason={(reason) => void second.giveBack(reason)}
        />
      )}
    </div>
  );
}

type FixItProps = {
  generation: Generation;
  photo: Blob;
  cutoutId: string | null;
  /** Its name among the tool's. */
  field: string;
  second: SecondTry;
};

function FixIt({ generation, photo, cutoutId, field, second }: FixItProps) {
  const api = useApi();
  const { id, redosLeft } = generation;
  const fingerprint = useMemory(({ made }) => made[id]?.[field]);
  const sent = fingerprint === undefined ? undefined : marksSchema.parse(JSON.parse(fingerprint));
  // A cut-out shows only what is new here; the rest is shown elsewhere.
  const begun =
    cutoutId === null
      ? { start: sent ?? {} }
      : { start: {}, sent, readCutout: () => api.file(previewUrl(cutoutId, 1280)) };
  const send = async (marks: Marks) => {
    if ((await second.redo({ [field]: marks })) !== null) keepSteps(id, []);
  };
  return (
    <MarkButton
      pictureId={id}
      photo={photo}
      {...begun}
      made={stepsOf(begun.start)}
      title="Fix it"
      line="Paint what belongs to the product, and what does not."
      apply={{ label: 'Apply, free', note: redosLeft === 1 ? '1 free try left' : `${redosLeft} free tries left` }}
      onMarks={(marks) => void send(marks)}
    >
      {(open) => (
        <Button icon={<Icon name="brush" />} busy={second.isSending && 'Sending...'} asksServer onClick={open}>
          Fix it
        </Button>
      )}
    </MarkButton>
  );
}

const productTools: readonly ToolId[] = toolIds.filter((id) => {
  const tool: Tool = tools[id];
  const takesPortrait = Object.values(tool.fields).some(({ kind }) => kind === 'model');
  return tool.shows.kind !== 'cutout' && pictureFields(tool).length === 1 && !takesPortrait;
});

function UseInMenu({ mediaId }: { mediaId: string }) {
  const trigger = (
    <>
      Use this cut-out in…
      <Icon name="down" size={16} />
    </>
  );
  return (
    <MenuFrame trigger={trigger} className={buttonClass({ look: 'quiet' })} align="start">
      <PhotoWays mediaId={mediaId} toolIds={productTools} />
    </MenuFrame>
  );
}

const REASONS: readonly { reason: ReturnReason; says: string; fits: (tool: Tool) => boolean }[] = [
  { reason: 'edges', says: 'The edges are wrong', fits: ({ shows }) => shows.kind !== 'video' },
  {
    reason: 'scene',
    says: 'Not the scene I asked for',
    fits: (tool) => tool.shows.kind !== 'video' && findTextField(tool) !== null,
  },
  { reason: 'person', says: 'The person looks wrong', fits: ({ composes }) => composes === 'person' },
  { reason: 'motion', says: 'The movement is wrong', fits: ({ shows }) => shows.kind === 'video' },
  { reason: 'other', says: 'Something else', fits: () => true },
];

type ReturnMenuProps = { tool: Tool; cost: number; isBusy: boolean; onReason: (reason: ReturnReason) => void };

function ReturnMenu({ tool, cost, isBusy, onReason }: ReturnMenuProps) {
  const credits = cost === 0 ? 'the credits' : cost === 1 ? 'the credit' : `the ${plural(cost, 'credit')}`;
  return (
    <MenuFrame
      trigger={`Not usable? Get ${credits} back`}
      className={`${buttonClass({ look: 'borderless' })} give-back`}
      isOff={isBusy}
    >
      <Menu.Group>
        <Menu.GroupLabel className="popup-label caption">
          What is wrong? The result and all its free versions are deleted.
        </Menu.GroupLabel>
        {REASONS.filter(({ fits }) => fits(tool)).map(({ reason, says }) => (
          <Menu.Item key={reason} className="popup-item" onClick={() => onReason(reason)}>
            {says}
          </Menu.Item>
        ))}
      </Menu.Group>
    </MenuFrame>
  );
}
