import { useMemo } from 'react';
import { formatCount, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { matchList, type PhotoList } from './match-list.ts';
import type { Photo } from '../photos.ts';

type ListPreviewProps = {
  list: PhotoList;
  photos: readonly Photo[];
  hasWords: boolean;
  onRemove: () => void;
};

const SHOWN_PROBLEMS = 8;

export function ListPreview({ list, photos, hasWords, onRemove }: ListPreviewProps) {
  const { listed, problems } = useMemo(() => matchList(list.rows, photos), [list.rows, photos]);
  const hasLostWords = !hasWords && list.rows.some(({ words }) => words !== '');
  return (
    <section className="surface run-list stack" aria-label="List">
      <div className="spread">
        <div>
          <h2 className="control-text">{list.name}</h2>
          <p className="caption figures" role="status">
            {`${plural(list.rows.length, 'line')}, ${formatCount(listed.size)} with a photo`}
          </p>
        </div>
        <IconButton icon="close" label={`Take ${list.name} away`} onClick={onRemove} />
      </div>
      {hasLostWords && <p className="small">This tool needs no words: the column prompt is not used.</p>}
      {problems.length > 0 && (
        <ul className="any-break" aria-label="What to look at in the list">
          {problems.slice(0, SHOWN_PROBLEMS).map(({ line, says }) => (
            <li key={`${line} ${says}`} className={line === null ? 'small' : 'small is-wrong'}>
              {line !== null && <b className="figures">Line {line}: </b>}
              {says}
            </li>
          ))}
          {problems.length > SHOWN_PROBLEMS && (
            <li className="small is-wrong">and {formatCount(problems.length - SHOWN_PROBLEMS)} more</li>
          )}
        </ul>
      )}
    </section>
  );
}
