import { formatCount } from '../format.ts';

type Chip<Key> = { key: Key; name: string; count?: number };
type ChipsProps<Key extends string> = {
  label: string;
  all: Omit<Chip<null>, 'key'>;
  chips: readonly Chip<Key>[];
  chosen: Key | null;
  onChoose: (key: Key | null) => void;
};

/** What a list can be narrowed to. The chosen one, pressed again, leads back to the whole list. */
export function Chips<Key extends string>({ label, all, chips, chosen, onChoose }: ChipsProps<Key>) {
  return (
    <div className="scroll-line" role="group" aria-label={label}>
      {[{ key: null, ...all }, ...chips].map(({ key, name, count }) => (
        <button
          key={key}
          type="button"
          className="badge"
          aria-pressed={key === chosen}
          onClick={() => onChoose(key === chosen ? null : key)}
        >
          {name} {count !== undefined && <span className="figures">{formatCount(count)}</span>}
        </button>
      ))}
    </div>
  );
}
