import { z } from 'zod';
import { packIds } from '@plinth/contract/pack-names';
import { createKeptStore } from '../platform/kept-store.ts';

const NONE = { packs: [], lookId: null };
const chosenSchema = z.object({ packs: z.array(z.enum(packIds)), lookId: z.string().nullable() }).catch(NONE);
type Chosen = z.infer<typeof chosenSchema>;

const useStore = createKeptStore<{ chosen: Chosen; isRead: boolean }>({
  name: 'export',
  initial: { chosen: NONE, isRead: false },
  split: ({ chosen }) => new Map(chosen === NONE ? [] : [['chosen', chosen]]),
  join: (state, kept) => (state.chosen === NONE ? { ...state, chosen: chosenSchema.parse(kept.get('chosen')) } : state),
  afterSession: (state) => state,
  isLasting: () => true,
});

export function useChosen(): Chosen & { choose: (part: Partial<Chosen>) => void } {
  const { chosen } = useStore();
  return { ...chosen, choose: (part) => useStore.setState({ chosen: { ...chosen, ...part } }) };
}
