import { create } from 'zustand';

/** What resets a store: the end of the session, the sign-in of another user, or only the page's end. */
const LIFETIMES = ['session', 'person', 'page'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** Sends at once what is still waiting: after sign-out it may no longer be sent. */
export const beforeSignOut = new Set<() => Promise<void>>();

const resets: { lifetime: Lifetime; reset: () => void }[] = [];

/** Registers a callback for the reset; callbacks run in order of registration. */
export function whenEnded(lifetime: Lifetime, reset: () => void): void {
  resets.push({ lifetime, reset });
}

/**
 * Browser-only state that outlives its screen. Server state belongs in the query cache. Read it in a component with
 * `useStore(select)`, elsewhere with `getState`.
 */
export function createClientStore<State extends object>(lifetime: Lifetime, initial: State) {
  const store = create<State>(() => initial);
  whenEnded(lifetime, () => store.setState(initial, true));
  return store;
}

/** Resets every store that ends here. A change of user also ends the session. */
export function resetClientStores(ended: Lifetime): void {
  const reached = LIFETIMES.slice(0, LIFETIMES.indexOf(ended) + 1);
  for (const { lifetime, reset } of resets) if (reached.includes(lifetime)) reset();
}
