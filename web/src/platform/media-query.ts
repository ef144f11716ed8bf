import { useSyncExternalStore } from 'react';

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

// The same conditions as in ui/breakpoints.css; a test compares them.

/** Below this width the sidebar becomes a top and a bottom bar. */
export const PHONE = '(width < 768px)';

/** Below this width a tool's stage is above or below its form. */
export const STACKED = '(width < 900px)';

/** Below this width the sidebar shows icons only. */
export const COMPACT = '(width < 1100px)';
