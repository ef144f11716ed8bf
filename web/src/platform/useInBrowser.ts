import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** A value that only the browser knows. A prerendered page has `written` in its place until it is hydrated. */
export function useInBrowser<Value extends string | boolean>(read: () => Value, written: Value): Value {
  return useSyncExternalStore(neverChanges, read, () => written);
}
