import { useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/** Several results at once. `chosen` is null while nobody chooses. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return {
    chosen,
    begin: () => setChosen(NONE),
    end: () => setChosen(null),
    choose: (ids: readonly string[]) => setChosen(new Set(ids)),
    /** Whether one is chosen, and how to change that; null while nobody chooses. */
    of: (id: string) => chosen && { isChosen: chosen.has(id), toggle: () => toggle(id) },
  };
}
