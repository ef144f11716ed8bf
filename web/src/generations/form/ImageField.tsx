import { useRef } from 'react';
import type { ImageField as ImageFieldEntry } from '@plinth/contract/tool';
import { pictureFields } from '@plinth/contract/tool-fields';
import { acceptPhotos } from '../../platform/picture-file.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { DropWords } from '../../ui/wells/DropWords.tsx';
import { FileInput } from '../../ui/wells/FileInput.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { formatKilobytes } from '../../ui/format.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { pictureOf, type PickedImage } from '../drafts.ts';
import { readPage, useMemory } from '../memory.ts';
import { needsAnswer, assess, showProduct } from '../subject.ts';
import { putPhoto, pickPhoto } from '../pick-photo.ts';
import { useToolInUse } from '../useTool.ts';
import { PhotoSuggestions } from './PhotoSuggestions.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { WordsProps } from './WordsField.tsx';

const importSubjectQuestion = () => import('./SubjectQuestion.tsx');
const SubjectQuestion = lazyPart(
  async () => (await importSubjectQuestion()).SubjectQuestion,
  ({ picked }) => <RoomForAnswer picked={picked} />,
);
const Outline = lazyPart(async () => (await importSubjectQuestion()).Outline, undefined, 'spare');

type ImageFieldProps = Omit<WordsProps<ImageFieldEntry>, 'value' | 'onChange'> & { isDropTarget: boolean };

/** Addition to the label: "(Required)". */
const NOTE = / \([^)]*\)/;

export function ImageField({ name, field, isLocked, errorId, isDropTarget }: ImageFieldProps) {
  const { toolId, tool, entry, draft, markable, again, setField } = useToolInUse();
  const input = useRef<HTMLInputElement>(null);
  const id = `field-${name}`;
  const picked = pictureOf(draft, name);
  const { reading, refusal } = useMemory((memory) => readPage(toolId, memory).photos[name]) ?? {};
  const isReading = reading !== undefined;
  // The space is reserved at once, so that nothing below moves when the content arrives.
  const isComing = isReading && picked === undefined;
  const take = (file: File | Promise<File>, isSample?: boolean) => void pickPhoto(toolId, name, file, isSample);
  // After a reload the last known state of the photo is shown until the server's answer.
  const isMarkable = markable === name || (entry === undefined && picked?.subject !== undefined);
  // With several photos it is unknown which one it was.
  const isRefused = again === 'same refusal' && pictureFields(tool).length === 1;
  const isWrong = refusal !== undefined || errorId !== undefined || (picked !== undefined && isRefused);
  const described = [refusal && `${id}-refusal`, errorId].filter(Boolean).join(' ');
  return (
    <div className="field" data-image-field={name} data-field={name}>
      <label className="label" htmlFor={id}>
        {field.label} {!NOTE.test(field.label) && <span className="caption">Required</span>}
      </label>
      <div>
        <div
          className={`frame ${picked || isComing ? 'photo-well' : 'drop-well'} ${lookOf(picked !== undefined, isWrong, isDropTarget)}`}
        >
          {picked ? (
            <Picture picked={picked} isReading={isReading} isMarkable={isMarkable} />
          ) : (
            <Invitation label={field.label} isReading={isReading} isDropTarget={isDropTarget} />
          )}
          {/* One for both looks: a file dialog that is open while a kept picture appears must not lose its input. */}
          <FileInput
            ref={input}
            id={id}
            className="laid-over"
            accept={acceptPhotos(field.accept)}
            aria-required="true"
            aria-invalid={errorId !== undefined || refusal !== undefined ? true : undefined}
            aria-describedby={described === '' ? undefined : described}
            disabled={isLocked}
            onFiles={([file]) => file && take(file)}
          />
        </div>
        {isComing && <div className="photo-facts" />}
        {isComing && isMarkable && <RoomForAnswer />}
        {picked && (
          <PictureFacts
            picked={picked}
            isLocked={isLocked}
            onChange={() => input.current?.click()}
            onRemove={() => putPhoto(toolId, name, null)}
          />
        )}
        {/* Once it was refused the stage needsAnswer. */}
        {picked && isMarkable && again !== 'same refusal' && (
          <SubjectQuestion
            key={picked.file.lastModified}
            picked={picked}
            isLocked={isLocked}
            onMarks={(marks) => setField(name, showProduct(picked, marks))}
          />
        )}
      </div>
      {refusal !== undefined && <ErrorBox id={`${id}-refusal`}>{refusal}</ErrorBox>}
      {!picked && !isComing && <PhotoSuggestions field={field} isLocked={isLocked} onFile={take} />}
    </div>
  );
}

/** As high as the question or the answer, so that nothing moves under a finger when it arrives. */
function RoomForAnswer({ picked }: { picked?: PickedImage | undefined }) {
  return <div className={picked && needsAnswer(assess(picked)) ? 'asking awaited' : 'asking answered'} />;
}

function lookOf(isPicked: boolean, isWrong: boolean, isDropTarget: boolean): string {
  if (isWrong && (isPicked || !isDropTarget)) return 'is-refused';
  if (isDropTarget) return 'dragged-over';
  return isPicked ? 'ready' : '';
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

type InvitationProps = { label: string; isReading: boolean; isDropTarget: boolean };

function Invitation({ label, isReading, isDropTarget }: InvitationProps) {
  if (isReading) return <span className="spinner" aria-hidden="true" />;
  if (isDropTarget) return <DropHere label={label} />;
  return (
    <>
      <DropWords thing="a photo" />
      <span className="field-hint by-mouse">
        or paste it with <kbd className="badge">Ctrl</kbd> <kbd className="badge">V</kbd>
      </span>
    </>
  );
}

type PictureProps = { picked: PickedImage; isReading: boolean; isMarkable: boolean };

function Picture({ picked, isReading, isMarkable }: PictureProps) {
  const { file, width, height } = picked;
  return (
    <>
      <BlobImage blob={file} className="cover" alt={`Your picture, ${file.name}`} width={width} height={height} />
      {isMarkable && <Outline key={file.lastModified} picked={picked} />}
      {isReading && <span className="spinner" aria-hidden="true" />}
    </>
  );
}

type PictureFactsProps = { picked: PickedImage; isLocked: boolean; onChange: () => void; onRemove: () => void };

function PictureFacts({ picked, isLocked, onChange, onRemove }: PictureFactsProps) {
  const { file, mediaId } = picked;
  return (
    <div className="photo-facts in-line">
      <div className="named grows">
        <b dir="auto" title={file.name}>
          {file.name}
        </b>
        <span className="caption figures">
          <span className="one-line">{mediaId === undefined ? formatKilobytes(file.size) : 'from your history'}</span>
        </span>
      </div>
      <Button look="borderless" disabled={isLocked} onClick={onChange}>
        Change
      </Button>
      <IconButton icon="close" label={`Remove ${file.name}`} disabled={isLocked} onClick={onRemove} />
    </div>
  );
}
