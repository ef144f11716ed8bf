import { useId, useState } from 'react';
import type { Tool } from '@plinth/contract/tool';
import { PHONE, useMediaQuery } from '../../platform/media-query.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount, formatKilobytes, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { sayForeseen, type Foreseen } from './foresee-sizes.ts';
import { listFacts } from './match-list.ts';
import type { findPhotoProblems } from '../upload/photo-problems.ts';
import { usePhotoFile } from '../photo-acts.ts';
import type { Photo, PhotoFacts } from '../photos.ts';
import { Thumb } from '../upload/Thumb.tsx';

type PhotoRowsProps = {
  photos: readonly Photo[];
  problems: ReturnType<typeof findPhotoProblems>;
  foreseen: ReadonlyMap<string, Foreseen>;
  tool: Tool;
  hasWords: boolean;
  onChange: (photo: Photo, part: Pick<Partial<Photo>, 'sku' | 'words'>) => void;
  onLeaveOut: (ids: readonly string[]) => void;
};

export function PhotoRows({ photos, foreseen, tool, problems, ...rows }: PhotoRowsProps) {
  const { hasWords, onChange, onLeaveOut } = rows;
  const step = useMediaQuery(PHONE) ? 12 : 50;
  const [pages, setPages] = useState(1);
  const [wanted, setWanted] = useState<string | null>(null);
  const isSure = [...foreseen.values()].every(({ sure }) => sure.length > 0);
  const groups = [
    { label: 'to mend', look: 'in-error', ids: [...problems.keys()] },
    { label: isSure ? 'too small' : 'may be too small', look: 'in-warning', ids: [...foreseen.keys()] },
  ].filter(({ ids }) => ids.length > 0);
  const group = groups.find(({ label }) => label === wanted);
  const listed = group === undefined ? photos : photos.filter(({ id }) => group.ids.includes(id));
  const shown = listed.slice(0, pages * step);
  const doubtful = group?.ids ?? [...problems.keys()];
  return (
    <section className="stack" aria-label="Photos">
      <Head
        photos={photos}
        groups={groups}
        group={group}
        doubtful={doubtful}
        onWanted={setWanted}
        onLeaveOut={onLeaveOut}
      />
      <ul className={hasWords ? 'surface divided with-words' : 'surface divided'}>
        {shown.map((photo) => (
          <PhotoRow
            key={photo.id}
            photo={photo}
            problem={problems.get(photo.id)}
            tool={tool}
            foreseen={foreseen.get(photo.id)}
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
    </section>
  );
}

type Group = { label: string; look: string; ids: string[] };
type HeadProps = Pick<PhotoRowsProps, 'photos' | 'onLeaveOut'> & {
  groups: readonly Group[];
  group: Group | undefined;
  doubtful: readonly string[];
  onWanted: (label: string | null) => void;
};

function Head({ photos, groups, group, doubtful, onWanted, onLeaveOut }: HeadProps) {
  return (
    <div className="cluster">
      <h2 className="title-small figures grows" tabIndex={-1}>
        {plural(photos.length, 'photo')}
      </h2>
      {groups.map(({ label, look, ids }) => (
        <button
          key={label}
          type="button"
          className={`badge ${look}`}
          aria-pressed={label === group?.label}
          onClick={() => onWanted(label === group?.label ? null : label)}
        >
          {formatCount(ids.length)} {label}
        </button>
      ))}
      {doubtful.length > 0 && (
        <Button look="borderless" onClick={() => onLeaveOut(doubtful)}>
          Leave {doubtful.length === 1 ? 'it' : 'these'} out
        </Button>
      )}
      <Button look="borderless" onClick={() => onLeaveOut(photos.map(({ id }) => id))}>
        Remove all
      </Button>
    </div>
  );
}

type PhotoRowProps = {
  photo: Photo;
  problem: { says: string; about: 'file' | 'sku' | 'words' } | undefined;
  tool: Tool;
  foreseen: Foreseen | undefined;
  hasWords: boolean;
  onChange: (part: Pick<Partial<Photo>, 'sku' | 'words'>) => void;
  onLeaveOut: () => void;
};

const INPUTS = [
  { about: 'sku', label: 'SKU', nameFor: (name: string) => `SKU of ${name}`, maxLength: 64, spellCheck: false },
  { about: 'words', label: 'Own words', nameFor: (name: string) => `Own words of ${name}`, dir: 'auto' },
] as const;

function PhotoRow({ photo, problem, tool, foreseen, hasWords, onChange, onLeaveOut }: PhotoRowProps) {
  const id = useId();
  const { name, path, bytes } = photo;
  return (
    <li className="photo-row">
      <Thumb blob={usePhotoFile(photo.id)} />
      <div className="named">
        <b className="cut-off" title={path}>
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
            {...(problem?.about === about && { 'aria-invalid': true, 'aria-describedby': `${id}-wrong` })}
            onChange={({ currentTarget: { value } }) => onChange({ [about]: about === 'sku' ? value.trim() : value })}
          />
        </label>
      ))}
      <IconButton icon="close" label={`Leave out ${name}`} onClick={onLeaveOut} />
      {problem !== undefined && (
        <p className="small is-wrong" id={`${id}-wrong`}>
          {problem.says}
        </p>
      )}
      {foreseen && <p className="small is-soon">{sayForeseen(tool, photo, foreseen)}</p>}
    </li>
  );
}

const sayFacts = (facts: PhotoFacts) =>
  listFacts(facts).map(([name, text]) => (name === 'heightCm' ? `${text} cm` : text));
