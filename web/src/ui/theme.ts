import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const CHANGED = 'plinth-theme';

/**
 * The chosen theme, kept in a cookie because signing out clears the web storage. The server writes it into each page.
 */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(
    (onChange) => {
      window.addEventListener(CHANGED, onChange);
      return () => window.removeEventListener(CHANGED, onChange);
    },
    () => themes.find((one) => one === document.documentElement.dataset.theme) ?? 'system',
  );
  return [theme, chooseTheme];
}

/** Vite's own server writes nothing into pages: while developing the cookie is read here. */
export function applyChosenTheme(): void {
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  if (chosen !== undefined) document.documentElement.dataset.theme = chosen;
}

function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  const age = theme === 'system' ? 0 : YEAR_SECONDS;
  document.cookie = `theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`;
  window.dispatchEvent(new Event(CHANGED));
}
