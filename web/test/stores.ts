import { vi } from 'vitest';
import type * as Zustand from 'zustand';
import type { StateCreator, StoreApi } from 'zustand';

const { resets } = vi.hoisted(() => ({ resets: new Set<() => void>() }));

/** Zustand's recipe for tests: every store can be reset. */
vi.mock('zustand', async (importActual) => {
  const { create, ...rest } = await importActual<typeof Zustand>();
  const createResettable = (begin: StateCreator<object>) => {
    const store = create(begin);
    const { persist } = store as StoreApi<object> & { persist?: { clearStorage: () => void } };
    resets.add(() => {
      persist?.clearStorage();
      store.setState(store.getInitialState(), true);
    });
    return store;
  };
  return { ...rest, create: (begin?: StateCreator<object>) => (begin ? createResettable(begin) : createResettable) };
});

/** Simulates a reload: state that is not stored is lost. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
