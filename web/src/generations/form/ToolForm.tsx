import { pictureFields } from '@plinth/contract/tool-fields';
import { type Ref, type SubmitEvent, useId } from 'react';
import { Link } from '@tanstack/react-router';
import { useCredits } from '../../credits/useCredits.ts';
import { useOnline } from '../../platform/online.ts';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { say } from '../../ui/above/toast.tsx';
import { usePageFiles } from '../../ui/wells/usePageFiles.ts';
import { AGAIN_SENTENCES, isFree } from '../again.ts';
import { textOf } from '../drafts.ts';
import { useMemory } from '../memory.ts';
import { pickPhoto } from '../pick-photo.ts';
import { DropHere, ImageField } from './ImageField.tsx';
import { WordsField } from './WordsField.tsx';
import { useToolInUse } from '../useTool.ts';

export function ToolForm({ ref }: { ref: Ref<HTMLFormElement> }) {
  const { toolId, tool, draft, work, missing, again, second, setField, submit } = useToolInUse();
  const id = useId();
  const isOnline = useOnline();
  const isBusy = work.isBusy || work.isSendingOthers || second.isSending;
  const isFilledIn = missing.length === 0 && !isBusy && isOnline;
  // While a question about the photo is open, a press moves there.
  const isReady = isFilledIn && (again === 'unanswered' || AGAIN_SENTENCES[again] === undefined);
  const wells = pictureFields(tool);
  const next = missing.find((name) => wells.includes(name)) ?? wells[0];
  const isDragging = useFileDrop(next, isBusy, (name, file) => void pickPhoto(toolId, name, file));
  const dropTarget = isDragging ? next : undefined;
  const { refusal } = work;
  useGenerateKey(isReady, submit);
  const requirements = <Requirements id={`${id}-reqs`} />;
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) submit();
  };
  return (
    <form
      ref={ref}
      data-tool={toolId}
      className={`panel column surface ${wells.length > 1 ? 'two-photos' : ''}`}
      noValidate
      onSubmit={handleSubmit}
    >
      {tool.requirementsAt === 'top' && requirements}
      {(tool.shown ?? Object.keys(tool.fields)).map((name) => {
        const field = tool.fields[name];
        if (field === undefined) return null;
        const errorId = refusal?.field === name ? `${id}-error` : undefined;
        const shared = { name, isLocked: isBusy, errorId };
        return field.kind === 'image' ? (
          <ImageField key={name} {...shared} field={field} isDropTarget={dropTarget === name} />
        ) : (
          <WordsField
            key={name}
            {...shared}
            field={field}
            value={textOf(draft, name)}
            onChange={(value) => setField(name, value)}
          />
        );
      })}
      {refusal !== null && (
        <ErrorBox id={`${id}-error`} action={refusal.isPoor === true && <GetCredits className={buttonClass({})} />}>
          {refusal.sentence}
        </ErrorBox>
      )}
      <SubmitRow id={id} isBusy={isBusy} isReady={isReady} />
      {tool.requirementsAt === 'end' && requirements}
      {isDragging && wells.length > 1 && <DropHalves wells={wells} />}
    </form>
  );
}

type SubmitRowProps = { id: string; isBusy: boolean; isReady: boolean };

function SubmitRow({ id, isBusy, isReady }: SubmitRowProps) {
  const { tool, work, again, isResultFirst, cost: each, versions } = useToolInUse();
  const credits = useCredits() ?? Infinity;
  const isAgain = work.generation?.status === 'succeeded' && work.isOfSamePictures;
  const hasFreeTry = isFree(again);
  // While a second try is sent, the pressed button stays.
  const isMade = work.isBusy || work.isSendingOthers;
  const isFreeNow = isMade ? work.generation?.cost === 0 : hasFreeTry;
  const count = isMade ? versions : work.press.variants.length;
  const freeLabel = versions > 1 ? 'Make one more' : 'Make again';
  const label = hasFreeTry ? freeLabel : isAgain ? tool.says.again : tool.says.button;
  const freely = isMade ? 'free' : `free, ${work.generation?.redosLeft ?? 0} left`;
  const cost = isFreeNow ? 0 : each * count;
  const price = isFreeNow ? freely : plural(cost, 'credit');
  const isShort = credits < cost && work.refusal?.isPoor !== true;
  const lack = isShort && (
    <>
      You have {plural(credits, 'credit')}, this costs {formatCount(cost)}. <GetCredits className="textlink" />
    </>
  );
  const reason = isBusy ? undefined : (AGAIN_SENTENCES[again] ?? lack);
  const described = [work.refusal && `${id}-error`, reason && `${id}-reason`, `${id}-reqs`];
  return (
    <div className="press-row in-sight">
      {reason && (
        <p className="small press-reason" id={`${id}-reason`}>
          {reason}
        </p>
      )}
      <Button
        type="submit"
        look={isResultFirst ? 'quiet' : 'primary'}
        large
        fullWidth
        cost={tool.price === 'beside' || isFreeNow ? price : undefined}
        busy={isBusy && tool.says.busy}
        disabled={!isReady}
        aria-describedby={described.filter(Boolean).join(' ')}
      >
        {tool.price === 'in words' && !isFreeNow ? (
          <span>
            {label} <span className="one-line">({price})</span>
          </span>
        ) : (
          label
        )}
      </Button>
    </div>
  );
}

/** Links from here remember the way back. */
function GetCredits({ className }: { className: string }) {
  const { toolId } = useToolInUse();
  return (
    <Link className={className} to="/dashboard/credits" onClick={() => useMemory.setState({ unfinished: toolId })}>
      Get credits
    </Link>
  );
}

function Requirements({ id }: { id: string }) {
  const { tool, missing } = useToolInUse();
  const isMet = { all: missing.length === 0, images: missing.every((name) => tool.fields[name]?.kind !== 'image') };
  return (
    <ul className="requirements small" id={id} aria-label="Requirements">
      {tool.requirements.map(({ says, met }) => (
        <li key={says} className={met && isMet[met] ? 'in-line is-good' : 'in-line'}>
          <Icon name={met && isMet[met] ? 'check' : 'dot'} size={14} />
          <span>{says}</span>
          {met && isMet[met] && <span className="sr-only"> (met)</span>}
        </li>
      ))}
    </ul>
  );
}

function DropHalves({ wells }: { wells: string[] }) {
  const { fields } = useToolInUse().tool;
  return (
    <div className="halves" aria-hidden="true">
      {wells.map((name) => {
        const field = fields[name];
        return (
          <div key={name} className="drop-well frame dragged-over" data-image-field={name}>
            <DropHere label={field?.kind === 'image' ? field.label : undefined} />
          </div>
        );
      })}
    </div>
  );
}

type OnFile = (fieldName: string, file: File) => void;

/** Takes a photo dropped or pasted anywhere: into the field under it, or else into the next empty one. */
function useFileDrop(next: string | undefined, isLocked: boolean, onFile: OnFile): boolean {
  const isDragging = usePageFiles(({ files }, place) => {
    const name = place?.closest<HTMLElement>('[data-image-field]')?.dataset.imageField ?? next;
    const [file] = files;
    if (isLocked || name === undefined || file === undefined) return;
    if (files.length > 1) say.note('One photo at a time. We took the first.', { id: 'one-photo' });
    onFile(name, file);
  });
  return isDragging && !isLocked;
}

/** What takes Enter for itself while it is there: a layer above the screen, or a product that is being placed. */
const OPEN_ABOVE = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=application]';

/** Ctrl or Cmd with Enter generates, wherever the focus is, except on a link, where it opens a new tab. */
function useGenerateKey(isReady: boolean, onGenerate: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || !isReady) return;
    if (event.target instanceof Element && event.target.closest('a[href]')) return;
    if (document.querySelector(OPEN_ABOVE)) return;
    event.preventDefault();
    onGenerate();
  });
}
