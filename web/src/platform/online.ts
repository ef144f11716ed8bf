import { useSyncExternalStore } from 'react';

export function useOnline(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const ending = new AbortController();
      window.addEventListener('online', onChange, ending);
      window.addEventListener('offline', onChange, ending);
      return () => ending.abort();
    },
    () => navigator.onLine,
    () => true,
  );
}
