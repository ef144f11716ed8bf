import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { previewUrl } from '@plinth/contract/media';
import type { GenerationStatus } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { linkToHistory } from '../../media/viewer-path.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { formatCount } from '../../ui/format.ts';
import { sayMissing } from '../run-sentences.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePhotoFile, usePhotoIds } from '../photo-acts.ts';

const SIDE_PX = 320;
const filters: readonly { label: string; statuses: readonly GenerationStatus[]; isIncomplete?: true }[] = [
  { label: 'Ready', statuses: ['succeeded'] },
  { label: 'Without a file', statuses: ['succeeded'], isIncomplete: true },
  { label: 'At work', statuses: ['running'] },
  { label: 'Waiting', statuses: ['queued'] },
  { label: 'Did not work', statuses: ['failed'] },
  { label: 'Canceled', statuses: ['canceled'] },
];

export function ItemGrid({ run, items: arrived }: { run: Run; items: readonly RunItem[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const photoIds = usePhotoIds(run.id);
  const items = inListOrder(arrived, photoIds);
  const groups = filters
    .map((filter) => ({
      ...filter,
      items: items.filter(
        ({ generation, missingFiles }) =>
          filter.statuses.includes(generation.status) && (filter.isIncomplete !== true || missingFiles.length > 0),
      ),
    }))
    .filter((group) => group.items.length > 0);
  const group = groups.find(({ label }) => label === chosen);
  if (items.length === 0) return null;
  return (
    <section aria-label="Pictures">
      {groups.length > 1 && (
        <div className="run-filter">
          <Chips
            label="Show"
            all={{ name: 'All', count: items.length }}
            chips={groups.map(({ label, items: own }) => ({ key: label, name: label, count: own.length }))}
            chosen={group?.label ?? null}
            onChoose={setChosen}
          />
        </div>
      )}
      <ul className="run-grid">
        {(group?.items ?? items).map((item) => (
          <Tile key={item.id} item={item} tool={tools[run.tool]} photoId={photoIds.get(item.id)} />
        ))}
      </ul>
    </section>
  );
}

/** As they stood in the list, which this browser knows; those of another one keep the order in which they came. */
function inListOrder(items: readonly RunItem[], photoIds: ReadonlyMap<string, string>): readonly RunItem[] {
  const places = new Map([...photoIds.keys()].map((id, place) => [id, place]));
  const placeOf = ({ id }: RunItem) => places.get(id) ?? places.size;
  return items.toSorted((a, b) => placeOf(a) - placeOf(b));
}

type TileProps = { item: RunItem; tool: Tool; photoId: string | undefined };

function Tile({ item, tool, photoId }: TileProps) {
  const { generation, sku, filename, missingFiles } = item;
  const { result, status } = generation;
  const name = sku ?? filename ?? 'Photo';
  return (
    <li className="run-tile picture-tile">
      <div className={result !== null && tool.shows.kind === 'cutout' ? 'print checker' : 'print'}>
        {result === null ? (
          <Instead status={status} photoId={photoId} />
        ) : (
          <img
            src={previewUrl(result.mediaId, SIDE_PX)}
            alt=""
            width={SIDE_PX}
            height={SIDE_PX}
            loading="lazy"
            decoding="async"
          />
        )}
      </div>
      <p className="caption spread">
        <span className="cut-off" title={filename ?? undefined}>
          {result === null ? (
            name
          ) : (
            <Link
              className="opens-large"
              {...linkToHistory(result.mediaId)}
              resetScroll={false}
              aria-label={`${name}, view large`}
            >
              {name}
            </Link>
          )}
        </span>
        {missingFiles.length > 0 && (
          <span className="one-line is-wrong figures" title={sayMissing(tool, missingFiles).join(' ')}>
            {formatCount(missingFiles.length)} missing
          </span>
        )}
      </p>
    </li>
  );
}

const words: Record<GenerationStatus, string> = {
  queued: 'Waiting',
  running: 'At work',
  succeeded: 'Deleted',
  failed: 'Did not work',
  canceled: 'Canceled',
};

function Instead({ status, photoId }: { status: GenerationStatus; photoId: string | undefined }) {
  const photo = usePhotoFile(photoId);
  return (
    <span className={photo === undefined ? 'instead cover' : 'instead cover over-photo'}>
      {photo && <BlobImage className="cover" blob={photo} alt="" decoding="async" />}
      {status === 'running' && <span className="spinner" aria-hidden="true" />}
      {status === 'failed' && <Icon name="warning" />}
      <span className={status === 'failed' ? 'badge is-wrong' : 'badge'}>{words[status]}</span>
    </span>
  );
}
