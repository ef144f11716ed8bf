import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { previewUrl } from '@plinth/contract/media';
import type { GenerationStatus } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { linkToHistory } from '../../media/viewer-path.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Chips } from '../../ui/fields/Chips.tsx';
import { plural } from '../../ui/format.ts';
import { sayMissing } from '../run-sentences.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePhotoFile, usePhotosOf } from '../photo-actions.ts';
import type { Photo } from '../photos.ts';
import { isDeleted, itemsKey } from '../useRuns.ts';

const SIDE_PX = 320;
/** A picture of the catalogue from the moment its photo is chosen: its item, this browser's photo, or both. */
type Picture = { id: string; item?: RunItem | undefined; photo?: Photo };
type Status = GenerationStatus | 'unsent' | 'deleted';

function statusOf({ item, photo }: Picture): Status {
  if (item === undefined) return photo?.state === 'waiting' ? 'unsent' : 'queued';
  return isDeleted(item) ? 'deleted' : item.generation.status;
}

/** In the order of the filters: what passes comes last, so that the others stay when it is gone. */
const words: Record<Status, string> = {
  succeeded: 'Ready',
  failed: 'Did not work',
  canceled: 'Canceled',
  deleted: 'Deleted',
  running: 'At work',
  queued: 'Waiting',
  unsent: 'To upload',
};
const filters: readonly { label: string; takes: (picture: Picture) => boolean }[] = Object.entries(words)
  .map(([wanted, label]) => ({ label, takes: (picture: Picture) => statusOf(picture) === wanted }))
  .toSpliced(1, 0, { label: 'Without a file', takes: ({ item }) => (item?.missingFiles.length ?? 0) > 0 });

export function ItemGrid({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const photos = usePhotosOf(run.id);
  const pictures = listPictures(items, photos, items.length >= run.counts.total);
  const groups = filters
    .map(({ label, takes }) => ({ label, pictures: pictures.filter(takes) }))
    .filter((group) => group.pictures.length > 0);
  const group = groups.find(({ label }) => label === chosen);
  const shown = group?.pictures ?? pictures;
  // Read when a tile is pressed, so that a new result does not render every tile.
  const among = useRef<readonly string[]>([]);
  useEffect(() => {
    among.current = shown.flatMap(({ item }) => item?.generation.result?.mediaId ?? []);
  }, [shown]);
  if (pictures.length === 0) return null;
  return (
    <section className="stack" aria-label="Pictures">
      <Chips
        label="Show"
        all={{ name: 'All', count: pictures.length }}
        chips={groups.map(({ label, pictures: own }) => ({ key: label, name: label, count: own.length }))}
        chosen={group?.label ?? null}
        onChoose={setChosen}
      />
      <ul className="run-grid">
        {shown.map((picture) => (
          <Tile key={picture.id} {...picture} runId={run.id} tool={tools[run.tool]} among={among} />
        ))}
      </ul>
    </section>
  );
}

/**
 * In the order of the list known to this browser; others follow in the order of arrival. The items may be read before
 * all have arrived.
 */
function listPictures(items: readonly RunItem[], photos: readonly Photo[], isComplete: boolean): Picture[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const listed = photos
    .map((photo) => ({ id: photo.id, item: byId.get(photo.itemId ?? ''), photo }))
    .filter(({ item, photo: { state } }) => item || !(state === 'refused' || (state === 'settled' && isComplete)));
  const known = new Set(photos.map(({ itemId }) => itemId));
  return [...listed, ...items.filter(({ id }) => !known.has(id)).map((item) => ({ id: item.id, item }))];
}

type TileProps = Picture & { runId: string; tool: Tool; among: RefObject<readonly string[]> };

/** Memoized: hundreds are shown while each arriving photo changes the list. */
const Tile = memo(function Tile({ runId, tool, among, ...picture }: TileProps) {
  const queryClient = useQueryClient();
  const { item, photo } = picture;
  const { sku, filename, generation, missingFiles = [] } = item ?? {};
  const name = (item ? (sku ?? filename) : photo?.sku || photo?.name) ?? 'Photo';
  const result = generation?.result ?? null;
  return (
    <li className="run-tile picture-tile">
      <div className={result !== null && tool.shows.kind === 'cutout' ? 'print checker' : 'print'}>
        {result === null ? (
          <TilePlaceholder status={statusOf(picture)} photoId={photo?.id} />
        ) : (
          <img
            src={previewUrl(result.mediaId, SIDE_PX)}
            alt=""
            width={SIDE_PX}
            height={SIDE_PX}
            loading="lazy"
            decoding="async"
            // It may be deleted and the event lost.
            onError={() => void queryClient.invalidateQueries({ queryKey: itemsKey(runId) }, { cancelRefetch: false })}
          />
        )}
      </div>
      <p className="caption cluster spread">
        <span className="cut-off" title={filename ?? undefined}>
          {result === null ? (
            name
          ) : (
            <Link
              className="opens-large"
              {...linkToHistory(result.mediaId)}
              state={() => ({ among: among.current })}
              resetScroll={false}
              aria-label={`${name}, view large`}
            >
              {name}
            </Link>
          )}
        </span>
        {missingFiles.length > 0 && (
          <span className="one-line is-wrong figures" title={sayMissing(tool, missingFiles).join(' ')}>
            {plural(missingFiles.length, 'file')} missing
          </span>
        )}
      </p>
    </li>
  );
});

function TilePlaceholder({ status, photoId }: { status: Status; photoId: string | undefined }) {
  const photo = usePhotoFile(photoId);
  return (
    <span className={photo === undefined ? 'instead cover' : 'instead cover over-photo'}>
      {photo && <BlobImage className="cover faded" blob={photo} alt="" loading="lazy" decoding="async" />}
      {status === 'running' && <span className="spinner" aria-hidden="true" />}
      {status === 'failed' && <Icon name="warning" />}
      <span className={status === 'failed' ? 'badge is-wrong on-top' : 'badge on-top'}>{words[status]}</span>
    </span>
  );
}
