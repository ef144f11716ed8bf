import { ARCHIVE_MAX_IDS } from '@plinth/contract/limits';
import type { Media } from '@plinth/contract/media';
import { useState } from 'react';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Icon } from '../ui/icons.tsx';
import { downloadArchive } from './download.ts';

type SelectionBarProps = {
  shown: readonly Media[];
  selection: ReturnType<typeof useSelection>;
  onDelete: (ids: readonly string[]) => void;
};

export function SelectionBar({ shown, selection, onDelete }: SelectionBarProps) {
  const api = useApi();
  const ids = shown.filter(({ id }) => selection.chosen?.has(id)).map(({ id }) => id);
  const isAll = ids.length === shown.length;
  const isTooMany = ids.length > ARCHIVE_MAX_IDS;
  const isOff = ids.length === 0 || isTooMany;
  return (
    <div className="floating selection in-line" role="region" aria-label="Selection">
      <span className="figures" role="status">
        {isTooMany ? `At most ${ARCHIVE_MAX_IDS} at once` : `${ids.length} selected`}
      </span>
      <Button look="borderless" onClick={() => selection.choose(isAll ? [] : shown.map(({ id }) => id))}>
        {isAll ? 'None' : 'All'}
      </Button>
      <Button look="borderless" onClick={() => selection.choose(null)}>
        Done
      </Button>
      <IconButton icon="trash" label="Delete" asksServer disabled={isOff} onClick={() => onDelete(ids)} />
      <Button
        look="primary"
        icon={<Icon name="download" />}
        asksServer
        disabled={isOff}
        onClick={() => void downloadArchive(api, ids)}
      >
        Download ZIP
      </Button>
    </div>
  );
}

/** Actions on several results. `chosen` is null outside selection mode. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const choose = (ids: readonly string[] | null) => setChosen(ids && new Set(ids));
  /** Whether a result is selected, and its toggle; null outside selection mode. */
  const pickingOf = (id: string) => {
    if (chosen === null) return null;
    const isChosen = chosen.has(id);
    return { isChosen, toggle: () => choose(isChosen ? [...chosen].filter((one) => one !== id) : [...chosen, id]) };
  };
  return { chosen, choose, pickingOf };
}
