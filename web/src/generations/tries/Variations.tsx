import { previewUrl } from '@plinth/contract/media';
import { useFollowed } from '../useFollowed.ts';

type VariationsProps = { row: readonly string[]; shownId: string; onShow: (generationId: string) => void };

export function Variations({ row, shownId, onShow }: VariationsProps) {
  const { followed } = useFollowed();
  const there = row.flatMap((id) => followed.filter((one) => one.id === id && one.result !== null));
  if (there.length < 2) return null;
  return (
    <div className="variations scroll-line" role="group" aria-label="Versions">
      {there
        .map(({ id, result }, index) => (
          <button
            key={id}
            type="button"
            className="frame pickable"
            aria-label={`Version ${index + 1}`}
            aria-pressed={id === shownId}
            onClick={() => onShow(id)}
          >
            <img src={previewUrl(result?.mediaId ?? '', 320)} alt="" width={72} height={72} loading="lazy" />
          </button>
        ))
        .reverse()}
    </div>
  );
}
