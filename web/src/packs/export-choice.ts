import type { PackId } from '@plinth/contract/pack-names';
import { createPersistentStore } from '../platform/storage/persistent-store.ts';

type Chosen = { packs: readonly PackId[]; lookId: string | null };
const NONE: Chosen = { packs: [], lookId: null };

/** The choices in Export, kept from one picture to the next. */
export const useExportChoice = createPersistentStore<{ chosen: Chosen; isRead: boolean }>({
  name: 'export',
  initial: { chosen: NONE, isRead: false },
  split: ({ chosen }) => new Map(chosen === NONE ? [] : [['chosen', chosen]]),
  join: ({ chosen, ...state }, stored) => ({
    ...state,
    chosen: chosen === NONE ? ((stored.get('chosen') as Chosen | undefined) ?? NONE) : chosen,
  }),
  isPermanent: () => true,
});

export function chooseForExport(part: Partial<Chosen>): void {
  useExportChoice.setState(({ chosen }) => ({ chosen: { ...chosen, ...part } }));
}

export function choosePack(id: PackId, isChosen: boolean): void {
  const others = useExportChoice.getState().chosen.packs.filter((one) => one !== id);
  chooseForExport({ packs: isChosen ? [...others, id] : others });
}
