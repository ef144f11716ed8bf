import type { RefObject } from 'react';
import { BlobImage } from '../BlobImage.tsx';
import { DropWords } from './DropWords.tsx';
import { FileInput } from './FileInput.tsx';
import { Icon } from '../icons.tsx';
import { usePageFiles } from './usePageFiles.ts';

type DropWellProps = {
  file: File | null;
  thing: string;
  another: string;
  accept: string;
  input?: RefObject<HTMLInputElement | null>;
  onTake: (file: File) => void;
};

export function DropWell({ file, thing, another, accept, input, onTake }: DropWellProps) {
  const take = ([first]: Iterable<File>) => first && onTake(first);
  const isDragging = usePageFiles(({ files }) => take(files));
  return (
    <label className={`frame drop-well ${isDragging ? 'dragged-over' : file === null ? '' : 'ready'}`}>
      {file?.type.startsWith('image/') === true && <BlobImage blob={file} alt="Your picture" />}
      {file === null ? (
        <DropWords thing={thing} />
      ) : (
        <span className="caption cluster">
          <Icon name="upload" />
          {another}
        </span>
      )}
      <FileInput ref={input} className="sr-only" accept={accept} onFiles={take} />
    </label>
  );
}
