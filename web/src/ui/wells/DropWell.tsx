import type { RefObject } from 'react';
import { BlobImage } from '../BlobImage.tsx';
import { DropWords } from './DropWords.tsx';
import { FileInput } from './FileInput.tsx';
import { Icon } from '../icons.tsx';
import { usePageFiles } from './usePageFiles.ts';

type DropWellProps = {
  file: File | null;
  isRefused?: boolean;
  thing: string;
  another: string;
  accept: string;
  input?: RefObject<HTMLInputElement | null>;
  onTake: (file: File) => void;
};

export function DropWell({ file, isRefused = false, thing, another, accept, input, onTake }: DropWellProps) {
  const take = ([first]: Iterable<File>) => first && onTake(first);
  const isDragging = usePageFiles(({ files }) => take(files));
  const look = isRefused ? 'is-refused' : file === null ? '' : 'ready';
  return (
    <label className={`frame drop-well ${isDragging ? 'dragged-over' : look}`}>
      {file === null ? (
        <DropWords thing={thing} />
      ) : (
        <>
          {file.type.startsWith('image/') ? (
            <BlobImage blob={file} alt="Your picture" />
          ) : (
            <b className="any-break">{file.name}</b>
          )}
          <span className="caption cluster">
            <Icon name="upload" />
            {another}
          </span>
        </>
      )}
      <FileInput ref={input} className="sr-only" accept={accept} aria-invalid={isRefused || undefined} onFiles={take} />
    </label>
  );
}
