import { factNames, type ItemFacts } from '@plinth/contract/item-facts';
import { useMemo } from 'react';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { matchList, type ListRow, type PhotoList } from './match-list.ts';
import type { Photo } from '../photos.ts';

type ListPreviewProps = {
  list: PhotoList;
  photos: readonly Photo[];
  hasWords: boolean;
  onRemove: () => void;
};

const SHOWN_ROWS = 5;
const SHOWN_PROBLEMS = 8;

export function ListPreview({ list, photos, hasWords, onRemove }: ListPreviewProps) {
  const { listed, problems } = useMemo(() => matchList(list.rows, photos), [list.rows, photos]);
  const hasLostWords = !hasWords && list.rows.some(({ words }) => words !== '');
  const rows = list.rows.slice(0, SHOWN_ROWS);
  const facts = factNames.filter((name) => rows.some((row) => row.facts[name] !== undefined));
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
      <div className="scrolls" tabIndex={0} role="group" aria-label="First lines of the list">
        <DataTable
          columns={[
            { head: 'Line', cell: ({ line }) => line },
            { head: 'SKU', cell: ({ sku }) => sku },
            { head: 'File', cell: ({ file }) => file },
            { head: 'Words', cell: ({ words }) => words },
            ...facts.map((name): Column<ListRow> => ({ head: FACT_NAMES[name], cell: (row) => row.facts[name] })),
          ]}
          rows={rows}
          keyOf={({ line }) => line}
        />
      </div>
      {list.rows.length > SHOWN_ROWS && (
        <p className="caption figures">and {plural(list.rows.length - SHOWN_ROWS, 'more line')}</p>
      )}
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

const FACT_NAMES: Record<keyof ItemFacts, string> = {
  heightCm: 'Height, cm',
  asin: 'ASIN',
  ean: 'EAN',
  role: 'Role',
  handle: 'Handle',
};
