import { useId, useState } from 'react';
import { PHONE, useMediaQuery } from '../platform/media-query.ts';
import { Button } from '../ui/Button.tsx';
import { formatCount, formatKilobytes, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import type { findPhotoProblems } from './photo-problems.ts';
import type { Photo } from './photos.ts';
import { Thumb } from './Thumb.tsx';

type PhotoRowsProps = {
  photos: readonly Photo[];
  files: ReadonlyMap<string, Blob>;
  problems: ReturnType<typeof findPhotoProblems>;
  hasWords: boolean;
  onChange: (photo: Photo, part: Pick<Partial<Photo>, 'sku' | 'words'>) => void;
  onLeaveOut: (ids: readonly string[]) => void;
};

/** What was chosen, some at a time: SKU and words can be written here, and each photo can be left out. */
export function PhotoRows({ photos, files, problems, hasWords, onChange, onLeaveOut }: PhotoRowsProps) {
  const step = useMediaQuery(PHONE) ? 12 : 50;
  const [pages, setPages] = useState(1);
  const [wantsWrong, setWantsWrong] = useState(false);
  const isWrongOnly = wantsWrong && problems.size > 0;
  const listed = isWrongOnly ? photos.filter(({ id }) => problems.has(id)) : photos;
  const shown = listed.slice(0, pages * step);
  return (
    <div className="photo-list">
      <div className="photo-list-head">
        <h2 className="t2 num">{plural(photos.length, 'photo')}</h2>
        {problems.size > 0 && (
          <>
            <button
              type="button"
              className="chip stop"
              aria-pressed={isWrongOnly}
              onClick={() => setWantsWrong(!isWrongOnly)}
            >
              {formatCount(problems.size)} to mend
            </button>
            <Button look="bare" onClick={() => onLeaveOut([...problems.keys()])}>
              Leave {problems.size === 1 ? 'it' : 'these'} out
            </Button>
          </>
        )}
        <Button look="bare" onClick={() => onLeaveOut(photos.map(({ id }) => id))}>
          Remove all
        </Button>
      </div>
      <ul className={hasWords ? 'photo-rows with-words' : 'photo-rows'}>
        {shown.map((photo) => (
          <PhotoRow
            key={photo.id}
            photo={photo}
            file={files.get(photo.id)}
            problem={problems.get(photo.id)}
            hasWords={hasWords}
            onChange={(part) => onChange(photo, part)}
            onLeaveOut={() => onLeaveOut([photo.id])}
          />
        ))}
      </ul>
      {shown.length < listed.length && (
        <Button onClick={() => setPages(pages + 1)}>
          Show {formatCount(Math.min(step, listed.length - shown.length))} more of {formatCount(listed.length)}
        </Button>
      )}
    </div>
  );
}

type PhotoRowProps = {
  photo: Photo;
  file: Blob | undefined;
  problem: { says: string; about: 'file' | 'sku' | 'words' } | undefined;
  hasWords: boolean;
  onChange: (part: Pick<Partial<Photo>, 'sku' | 'words'>) => void;
  onLeaveOut: () => void;
};

function PhotoRow({ photo, file, problem, hasWords, onChange, onLeaveOut }: PhotoRowProps) {
  const id = useId();
  const { name, path, bytes, sku, words } = photo;
  const describe = (about: 'sku' | 'words') =>
    problem?.about === about ? { 'aria-invalid': true, 'aria-describedby': `${id}-wrong` } : {};
  return (
    <li className="photo-row">
      <Thumb photoId={photo.id} file={file} />
      <div className="photo-name">
        <b title={path}>{name}</b>
        <span className="tag num">{formatKilobytes(bytes)}</span>
      </div>
      <label className="photo-sku">
        <span className="tag">SKU</span>
        <input
          className="input"
          aria-label={`SKU of ${name}`}
          value={sku}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          {...describe('sku')}
          onChange={(event) => onChange({ sku: event.currentTarget.value.trim() })}
        />
      </label>
      {hasWords && (
        <label className="photo-words">
          <span className="tag">Own words</span>
          <input
            className="input"
            aria-label={`Own words of ${name}`}
            value={words}
            autoComplete="off"
            {...describe('words')}
            onChange={(event) => onChange({ words: event.currentTarget.value })}
          />
        </label>
      )}
      <Button look="bare" square aria-label={`Leave out ${name}`} icon={<Icon name="close" />} onClick={onLeaveOut} />
      {problem !== undefined && (
        <p className="small wrong" id={`${id}-wrong`}>
          {problem.says}
        </p>
      )}
    </li>
  );
}
