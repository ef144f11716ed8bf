import type { PackId } from '@plinth/contract/pack-names';
import { createKeptStore } from '../platform/kept/kept-store.ts';

type Chosen = { packs: readonly PackId[]; lookId: string | null };
const NONE: Chosen = { packs: [], lookId: null };

/** The choices in Export, kept from one picture to the next. */
export const useExportChoice = createKeptStore<{ chosen: Chosen; isRead: boolean }>({
  name: 'export',
  initial: { chosen: NONE, isRead: false },
  split: ({ chosen }) => new Map(chosen === NONE ? [] : [['chosen', chosen]]),
  join: ({ chosen, ...state }, kept) => ({
    ...state,
    chosen: chosen === NONE ? ((kept.get('chosen') as Chosen | undefined) ?? NONE) : chosen,
  }),
  isLasting: () => true,
});

export function chooseForExport(part: Partial<Chosen>): void {
  useExportChoice.setState(({ chosen }) => ({ chosen: { ...chosen, ...part } }));
}

export function choosePack(id: PackId, isChosen: boolean): void {
  const others = useExportChoice.getState().chosen.packs.filter((one) => one !== id);
  chooseForExport({ packs: isChosen ? [...others, id] : others });
}
