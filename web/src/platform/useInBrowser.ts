import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** Reads a value that only the browser knows. A prerendered page shows `written` until it is hydrated. */
export function useInBrowser<Value extends string | boolean>(read: () => Value, written: Value): Value {
  return useSyncExternalStore(neverChanges, read, () => written);
}
