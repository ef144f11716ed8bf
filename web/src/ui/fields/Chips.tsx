import { formatCount } from '../format.ts';

type Chip<Key> = { key: Key; name: string; count?: number };
type ChipsProps<Key extends string> = {
  label: string;
  all: Omit<Chip<null>, 'key'>;
  chips: readonly Chip<Key>[];
  chosen: Key | null;
  onChoose: (key: Key | null) => void;
};

/** Filters of a list. Pressing the chosen one again shows the whole list. */
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
