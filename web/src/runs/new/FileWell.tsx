import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { DropWords } from '../../ui/wells/DropWords.tsx';
import { FileInput } from '../../ui/wells/FileInput.tsx';
import { listChosen, type Found } from '../upload/collect-files.ts';

type FileWellProps = {
  isSmall: boolean;
  isDragging: boolean;
  isReading: boolean;
  onFound: (found: Found[]) => void;
};

const ACCEPT = 'image/jpeg,image/png,image/webp,text/csv,.csv';
const canChooseFolders = () => 'webkitdirectory' in HTMLInputElement.prototype;

export function FileWell({ isSmall, isDragging, isReading, onFound }: FileWellProps) {
  const folder = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => onFound(listChosen(files));
  return (
    <div className="stack">
      <div className={`drop-well frame ${isDragging ? 'dragged-over' : ''} ${isSmall ? 'small-well' : ''}`}>
        {isReading ? (
          <span className="spinner" aria-hidden="true" />
        ) : isDragging ? (
          <b>Drop them</b>
        ) : (
          <DropWords
            thing={isSmall ? 'more photos' : 'photos or a folder'}
            choice="choose files"
            byTouch={isSmall ? 'Choose more photos' : 'Choose photos'}
          />
        )}
        <FileInput
          className="laid-over"
          multiple
          accept={ACCEPT}
          aria-label="Photos and list"
          aria-describedby="run-well-hint"
          onFiles={take}
        />
      </div>
      <div className="cluster">
        {canChooseFolders() && (
          <>
            <Button icon={<Icon name="folder" />} onClick={() => folder.current?.click()}>
              Choose a folder
            </Button>
            <FileInput ref={folder} hidden aria-label="Folder" {...{ webkitdirectory: '' }} onFiles={take} />
          </>
        )}
        <p className="small" id="run-well-hint">
          A CSV with the columns <b>sku, file, prompt</b> gives each photo its name and its own words;{' '}
          <b>asin, ean, role, handle, height_cm</b> name and scale its files for shops.
        </p>
      </div>
    </div>
  );
}
