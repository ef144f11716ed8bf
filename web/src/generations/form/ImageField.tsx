import { lazy, Suspense, useRef, type ReactNode } from 'react';
import type { Marks } from '@plinth/contract/marks';
import type { ImageField as ImageFieldEntry } from '@plinth/contract/tool';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { DropWords } from '../../ui/wells/DropWords.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { formatKilobytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedImage } from '../check-image.ts';
import type * as Cut from './WhatIsCut.tsx';

type CutParts = Pick<typeof Cut, 'WhatIsCut' | 'Outline'>;
const NONE: CutParts = { WhatIsCut: () => null, Outline: () => null };
// A network that went away in this moment takes the question along, and nothing else: the photo may be sent without.
const importWhatIsCut = (): Promise<CutParts> => import('./WhatIsCut.tsx').catch(() => NONE);
const WhatIsCut = lazy(async () => ({ default: (await importWhatIsCut()).WhatIsCut }));
const Outline = lazy(async () => ({ default: (await importWhatIsCut()).Outline }));

type ImageFieldProps = {
  name: string;
  field: ImageFieldEntry;
  picked: PickedImage | undefined;
  /** What the last file was refused for; the picture before it stays. */
  refusal: string | null;
  isReading: boolean;
  isLocked: boolean;
  isDropTarget: boolean;
  isRefused: boolean;
  errorId: string | undefined;
  atHand: ReactNode;
  onMarks: ((marks: Marks) => void) | undefined;
  onFile: (file: File) => void;
  onRemove: () => void;
};

/** What a label says of itself: "(Required)". */
const NOTE = / \([^)]*\)/;

export function ImageField(props: ImageFieldProps) {
  const { name, field, picked, refusal, isLocked, errorId, onFile, onMarks } = props;
  const input = useRef<HTMLInputElement>(null);
  const id = `field-${name}`;
  const described = [refusal !== null && `${id}-refusal`, errorId].filter(Boolean).join(' ');
  return (
    <div className="field" data-image-field={name} data-field={name}>
      <label className="label" htmlFor={id}>
        {field.label} {!NOTE.test(field.label) && <span className="caption">Required</span>}
      </label>
      <div>
        <div className={`frame ${lookOfWell(props)}`}>
          {picked ? <Picture {...props} picked={picked} /> : <Invitation {...props} />}
          {/* One for both looks: a file dialog that is open while a kept picture appears must not lose its input. */}
          <input
            ref={input}
            id={id}
            type="file"
            className="laid-over"
            accept={field.accept.join(',')}
            aria-required="true"
            aria-invalid={errorId !== undefined || refusal !== null ? true : undefined}
            aria-describedby={described === '' ? undefined : described}
            disabled={isLocked}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (file) onFile(file);
            }}
          />
        </div>
        {picked && <PictureFacts {...props} picked={picked} onChange={() => input.current?.click()} />}
        <Suspense>{picked && onMarks && <WhatIsCut picked={picked} isLocked={isLocked} onMarks={onMarks} />}</Suspense>
      </div>
      {refusal !== null && <ErrorBox id={`${id}-refusal`}>{refusal}</ErrorBox>}
      {!picked && props.atHand}
    </div>
  );
}

export function DropHere({ label = '' }: { label?: string | undefined }) {
  return (
    <>
      <Icon name="upload" size={28} />
      <b>Drop it</b>
      <span className="field-hint">{label.replace(NOTE, '')}</span>
    </>
  );
}

function lookOfWell({ picked, refusal, errorId, isDropTarget, isRefused }: ImageFieldProps): string {
  if (!picked)
    return `drop-well ${isDropTarget ? 'dragged-over' : refusal !== null || errorId !== undefined ? 'is-refused' : ''}`;
  return `photo-well ${refusal !== null || isRefused ? 'is-refused' : isDropTarget ? 'dragged-over' : 'ready'}`;
}

function Invitation({ field, isReading, isDropTarget }: ImageFieldProps) {
  if (isReading) return <span className="spinner" aria-hidden="true" />;
  if (isDropTarget) return <DropHere label={field.label} />;
  return (
    <>
      <DropWords thing="a photo" />
      <span className="field-hint by-mouse">
        or paste it with <kbd className="badge">Ctrl</kbd> <kbd className="badge">V</kbd>
      </span>
    </>
  );
}

type Filled = ImageFieldProps & { picked: PickedImage };

function Picture({ picked, isReading, onMarks }: Filled) {
  const { file, width, height } = picked;
  return (
    <>
      <BlobImage blob={file} className="cover" alt={`Your picture, ${file.name}`} width={width} height={height} />
      <Suspense>{onMarks && <Outline picked={picked} />}</Suspense>
      {isReading && <span className="spinner" aria-hidden="true" />}
    </>
  );
}

function PictureFacts({ picked, isLocked, onChange, onRemove }: Filled & { onChange: () => void }) {
  const { file, mediaId } = picked;
  return (
    <div className="photo-facts in-line">
      <div className="named grows">
        <b>{file.name}</b>
        <span className="caption figures">
          <span className="one-line">{mediaId === undefined ? formatKilobytes(file.size) : 'from your history'}</span>
        </span>
      </div>
      <Button look="borderless" disabled={isLocked} onClick={onChange}>
        Change
      </Button>
      <Button look="borderless" square disabled={isLocked} aria-label={`Remove ${file.name}`} onClick={onRemove}>
        <Icon name="close" />
      </Button>
    </div>
  );
}
