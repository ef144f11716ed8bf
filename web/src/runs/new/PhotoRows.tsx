import { useId, useState } from 'react';
import { PHONE, useMediaQuery } from '../../platform/media-query.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount, formatKilobytes, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import type { SizeWarning, Problem } from './check-photos.ts';
import { listFacts } from './match-list.ts';
import { putPhotos, usePhotoFile } from '../photo-actions.ts';
import type { Photo, PhotoFacts } from '../photos.ts';
import { Thumb } from '../upload/Thumb.tsx';

type PhotoRowsProps = {
  photos: readonly Photo[];
  problems: ReadonlyMap<string, Problem>;
  sizeWarnings: ReadonlyMap<string, SizeWarning>;
  hasWords: boolean;
  onLeaveOut: (ids: readonly string[]) => void;
};

export function PhotoRows({ photos, problems, sizeWarnings, hasWords, onLeaveOut }: PhotoRowsProps) {
  const step = useMediaQuery(PHONE) ? 12 : 50;
  const [pages, setPages] = useState(1);
  const [wanted, setWanted] = useState<string | null>(null);
  const isSure = [...sizeWarnings.values()].every(({ sure }) => sure.length > 0);
  const groups = [
    { label: 'to mend', look: 'in-error', ids: [...problems.keys()] },
    { label: isSure ? 'too small' : 'may be too small', look: 'in-warning', ids: [...sizeWarnings.keys()] },
  ].filter(({ ids }) => ids.length > 0);
  const group = groups.find(({ label }) => label === wanted);
  const listed = group === undefined ? photos : photos.filter(({ id }) => group.ids.includes(id));
  const shown = listed.slice(0, pages * step);
  const inQuestion = group?.ids ?? [...problems.keys()];
  // A wrong number or text is corrected in its field: the photo itself is good.
  const doubtful = inQuestion.filter((id) => (problems.get(id)?.about ?? 'file') === 'file');
  return (
    <section className="stack run-rows" aria-label="Photos">
      <div className="cluster">
        <h2 className="title-small figures grows" tabIndex={-1}>
          {plural(photos.length, 'photo')}
        </h2>
        {groups.map((one) => (
          <button
            key={one.label}
            type="button"
            className={`badge ${one.look}`}
            aria-pressed={one === group}
            onClick={() => setWanted(one === group ? null : one.label)}
          >
            {formatCount(one.ids.length)} {one.label}
          </button>
        ))}
        {doubtful.length > 0 && (
          <Button look="borderless" onClick={() => onLeaveOut(doubtful)}>
            {doubtful.length < inQuestion.length
              ? `Leave ${formatCount(doubtful.length)} out`
              : `Leave ${doubtful.length === 1 ? 'it' : 'these'} out`}
          </Button>
        )}
        <Button look="borderless" onClick={() => onLeaveOut(photos.map(({ id }) => id))}>
          Remove all
        </Button>
      </div>
      <ul className={hasWords ? 'surface divided with-words' : 'surface divided'}>
        {shown.map((photo) => (
          <PhotoRow
            key={photo.id}
            {...{ photo, hasWords, onLeaveOut }}
            problem={problems.get(photo.id)}
            sizeWarning={sizeWarnings.get(photo.id)}
          />
        ))}
      </ul>
      {shown.length < listed.length && (
        <Button onClick={() => setPages(pages + 1)}>
          Show {formatCount(Math.min(step, listed.length - shown.length))} more of {formatCount(listed.length)}
        </Button>
      )}
    </section>
  );
}

const INPUTS = [
  { about: 'sku', label: 'SKU', nameFor: (name: string) => `SKU of ${name}`, maxLength: 64, spellCheck: false },
  { about: 'words', label: 'Own words', nameFor: (name: string) => `Own words of ${name}`, dir: 'auto' },
] as const;

type PhotoRowProps = Pick<PhotoRowsProps, 'hasWords' | 'onLeaveOut'> & {
  photo: Photo;
  problem: Problem | undefined;
  sizeWarning: SizeWarning | undefined;
};

function PhotoRow({ photo, problem, sizeWarning, hasWords, onLeaveOut }: PhotoRowProps) {
  const id = useId();
  const { name, path, bytes } = photo;
  return (
    <li className="photo-row">
      <Thumb blob={usePhotoFile(photo.id)} />
      <div className="named">
        <b className="cut-off" dir="auto" title={path}>
          {name}
        </b>
        <span className="caption figures any-break">
          {[formatKilobytes(bytes), ...sayFacts(photo.facts ?? {})].join(' · ')}
        </span>
      </div>
      {INPUTS.filter(({ about }) => hasWords || about !== 'words').map(({ about, label, nameFor, ...rest }) => (
        <label key={about} className="in-line">
          <span className="caption">{label}</span>
          <input
            {...rest}
            className="input"
            aria-label={nameFor(name)}
            value={photo[about]}
            autoComplete="off"
            // Enter only leaves this field: the button starts the catalogue, which costs credits.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            {...(problem?.about === about && { 'aria-invalid': true, 'aria-describedby': `${id}-wrong` })}
            onChange={({ currentTarget: { value } }) =>
              putPhotos([{ ...photo, [about]: about === 'sku' ? value.trim() : value }])
            }
          />
        </label>
      ))}
      <IconButton icon="close" label={`Leave out ${name}`} onClick={() => onLeaveOut([photo.id])} />
      {problem !== undefined && (
        <p className="small is-wrong" id={`${id}-wrong`}>
          {problem.says}
        </p>
      )}
      {sizeWarning && <p className="small is-soon">{sizeWarning.says}</p>}
    </li>
  );
}

const sayFacts = (facts: PhotoFacts) =>
  listFacts(facts).map(([name, text]) => (name === 'heightCm' ? `${text} cm` : text));
