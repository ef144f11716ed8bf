import { useSyncExternalStore } from 'react';

/** Whether the media query holds now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Below this width the sidebar becomes a top and a bottom bar. */
export const PHONE = '(max-width: 767px)';
