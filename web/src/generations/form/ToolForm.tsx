import { useId, type Ref, type SubmitEvent } from 'react';
import { Link } from '@tanstack/react-router';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useOnline } from '../../platform/online.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { plural } from '../../ui/format.ts';
import { AGAIN_SENTENCES, isFree, type Again } from './again.ts';
import type { PickedImage } from '../check-image.ts';
import { missingFields, priceOf, type Draft } from '../drafts.ts';
import { FormField } from './FormField.tsx';
import { DropHere } from './ImageField.tsx';
import type { Work } from '../useGeneration.ts';
import { countVersions } from '../versions.ts';
import { useGenerateKey } from './useGenerateKey.ts';
import { usePicking } from './usePicking.ts';
import type { Pictures } from './usePictures.ts';

type ToolFormProps = {
  ref: Ref<HTMLFormElement>;
  toolId: ToolId;
  tool: Tool;
  draft: Draft;
  work: Work;
  pictures: Pictures;
  again: Again;
  markable: string | null;
  isSecond: boolean;
  onField: (name: string, value: PickedImage | string | null) => void;
  onSubmit: () => void;
};

export function ToolForm(props: ToolFormProps) {
  const { ref, tool, draft, work, pictures, again, markable, onField, onSubmit } = props;
  const id = useId();
  const isOnline = useOnline();
  const missing = missingFields(tool, draft);
  const isReady = missing.length === 0 && !work.isBusy && isOnline && AGAIN_SENTENCES[again] === undefined;
  const free = missing.filter((name) => tool.fields[name]?.kind === 'image');
  const isDragging = usePicking({ tool, free, isLocked: work.isBusy, onFile: pictures.take });
  const wells = Object.keys(tool.fields).filter((name) => tool.fields[name]?.kind === 'image');
  const dropTarget = isDragging ? (free[0] ?? wells[0]) : undefined;
  const { refusal } = work;
  useGenerateKey(isReady, onSubmit);
  const requirements = <Requirements id={`${id}-reqs`} tool={tool} draft={draft} />;
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form
      ref={ref}
      className={`panel surface ${wells.length > 1 ? 'two-photos' : ''}`}
      noValidate
      onSubmit={handleSubmit}
    >
      {tool.requirementsAt === 'top' && requirements}
      {(tool.shown ?? Object.keys(tool.fields)).map((name) => {
        const field = tool.fields[name];
        return (
          field && (
            <FormField
              key={name}
              name={name}
              field={field}
              draft={draft}
              isLocked={work.isBusy}
              errorId={refusal?.field === name ? `${id}-error` : undefined}
              isDropTarget={dropTarget === name}
              isMarkable={markable === name}
              isRefused={again === 'same refusal'}
              pictures={pictures}
              onChange={(value) => onField(name, value)}
            />
          )
        );
      })}
      {refusal !== null && <ErrorBox id={`${id}-error`}>{refusal.sentence}</ErrorBox>}
      {refusal?.isPoor === true && (
        <Link className={buttonClass({ fullWidth: true })} to="/dashboard/credits">
          Get credits
        </Link>
      )}
      <Go {...props} id={id} isReady={isReady} />
      {tool.requirementsAt === 'end' && requirements}
      {isDragging && wells.length > 1 && <Halves tool={tool} wells={wells} />}
    </form>
  );
}

type GoProps = Pick<ToolFormProps, 'tool' | 'draft' | 'work' | 'again' | 'isSecond'> & { id: string; isReady: boolean };

function Go({ id, tool, draft, work, again, isSecond, isReady }: GoProps) {
  const reason = AGAIN_SENTENCES[again];
  const isAgain = work.generation?.status === 'succeeded' && work.isOfSamePictures;
  const hasFreeTry = isFree(again);
  const label = hasFreeTry ? 'Make again' : isAgain ? tool.says.again : tool.says.button;
  const isFreeNow = work.isBusy ? !work.isChecking && work.generation?.cost === 0 : hasFreeTry;
  const count = work.isBusy ? countVersions(tool, draft) : work.press.variants.length;
  const price = isFreeNow ? sayFree(work) : plural(priceOf(tool, draft) * count, 'credit');
  const described = [work.refusal && `${id}-error`, reason && `${id}-reason`, `${id}-reqs`];
  return (
    <div className="press-row in-sight">
      {reason !== undefined && !work.isBusy && (
        <p className="small press-reason" id={`${id}-reason`}>
          {reason}
        </p>
      )}
      <Button
        type="submit"
        look={isSecond ? 'quiet' : 'primary'}
        large
        fullWidth
        cost={tool.price === 'beside' || isFreeNow ? price : undefined}
        busy={work.isBusy && tool.says.busy}
        disabled={!isReady}
        aria-describedby={described.filter(Boolean).join(' ')}
      >
        {tool.price === 'in words' && !isFreeNow ? <InWords label={label} price={price} /> : label}
      </Button>
    </div>
  );
}

function sayFree({ isBusy, generation }: ToolFormProps['work']): string {
  return isBusy ? 'free' : `free, ${generation?.redosLeft ?? 0} left`;
}

function InWords({ label, price }: { label: string; price: string }) {
  return (
    <span>
      {label} <span className="one-line">({price})</span>
    </span>
  );
}

function Requirements({ id, tool, draft }: { id: string; tool: Tool; draft: Draft }) {
  const missing = missingFields(tool, draft);
  const isMet = { all: missing.length === 0, images: missing.every((name) => tool.fields[name]?.kind !== 'image') };
  return (
    <ul className="requirements" id={id} aria-label="Requirements">
      {tool.requirements.map(({ says, met }) => (
        <li key={says} className={met && isMet[met] ? 'is-good' : undefined}>
          {says}
          {met && isMet[met] && <span className="sr-only"> (met)</span>}
        </li>
      ))}
    </ul>
  );
}

function labelOf({ fields }: Tool, name: string): string | undefined {
  const field = fields[name];
  return field !== undefined && 'label' in field ? field.label : undefined;
}

function Halves({ tool, wells }: { tool: Tool; wells: string[] }) {
  return (
    <div className="halves" aria-hidden="true">
      {wells.map((name) => (
        <div key={name} className="drop-well frame dragged-over" data-image-field={name}>
          <DropHere label={labelOf(tool, name)} />
        </div>
      ))}
    </div>
  );
}
