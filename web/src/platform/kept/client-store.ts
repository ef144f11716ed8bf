import { create } from 'zustand';

/** What ends a state of this browser: the session's end, another person's sign-in, or nothing but the page. */
const LIFETIMES = ['session', 'person', 'page'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** Sends at once what still waits to be sent: nobody may send it once its person is signed out. */
export const beforeSignOut = new Set<() => Promise<void>>();

const resets: { lifetime: Lifetime; reset: () => void }[] = [];

/** Calls back where this ends, in the order in which it was asked for. */
export function whenEnded(lifetime: Lifetime, reset: () => void): void {
  resets.push({ lifetime, reset });
}

/**
 * State of the browser alone that outlives its screen. What the server knows belongs into the query cache. Read it in a
 * component as `useStore(select)`, elsewhere with `getState`.
 */
export function createClientStore<State extends object>(lifetime: Lifetime, initial: State) {
  const store = create<State>(() => initial);
  whenEnded(lifetime, () => store.setState(initial, true));
  return store;
}

/** Forgets all that ends here: the end of a person is one of their session, too. */
export function resetClientStores(ended: Lifetime): void {
  const reached = LIFETIMES.slice(0, LIFETIMES.indexOf(ended) + 1);
  for (const { lifetime, reset } of resets) if (reached.includes(lifetime)) reset();
}
