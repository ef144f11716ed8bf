import { useEffect } from 'react';
import { previewUrl } from '@plinth/contract/media';
import { isTerminal } from '@plinth/contract/generations';
import { markSeen } from '../memory.ts';
import { useFollowed } from '../followed.ts';

type VariationsProps = {
  row: readonly string[];
  shownId: string;
  isAlone?: boolean;
  onShow: (generationId: string) => void;
};

/** The results and active generations of one photo, newest first; nothing if there is only one picture. */
export function Variations({ row, shownId, isAlone = false, onShow }: VariationsProps) {
  const { followed } = useFollowed();
  const there = row
    .flatMap((id) => followed.filter((one) => one.id === id))
    .filter(({ status, result }) => result !== null || !isTerminal(status));
  const ended = there.filter(({ result }) => result !== null).map(({ id }) => id);
  const ready = ended.join(' ');
  useEffect(() => {
    if (ready !== '') markSeen(...ready.split(' '));
  }, [ready]);
  if (there.every(({ id }) => id === shownId)) return null;
  const shown = (
    <div className="variations scroll-line" role="group" aria-label="Versions">
      {there
        .map(({ id, result }) => (
          <button
            key={id}
            ref={id === shownId ? reveal : undefined}
            type="button"
            className="frame pickable"
            aria-label={result === null ? `Version ${row.indexOf(id) + 1}, in work` : `Version ${row.indexOf(id) + 1}`}
            aria-pressed={id === shownId}
            onClick={() => onShow(id)}
          >
            {result === null ? (
              <span className="waiting">
                <span className="spinner" aria-hidden="true" />
              </span>
            ) : (
              <img src={previewUrl(result.mediaId, 320)} alt="" width={72} height={72} loading="lazy" />
            )}
          </button>
        ))
        .reverse()}
    </div>
  );
  return isAlone ? <div className="stage-foot">{shown}</div> : shown;
}

/** Scrolls the shown one into view within its row, without moving the page. */
function reveal(button: HTMLElement | null): void {
  const row = button?.parentElement;
  if (!button || !row) return;
  const [own, room] = [button.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += Math.max(0, own.right - room.right) - Math.max(0, room.left - own.left);
}
