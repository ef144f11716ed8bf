import { useSyncExternalStore } from 'react';
import { keepChoice, readChoice } from './choice.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const CHANGED = 'plinth-theme';

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
  const chosen = readChoice('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}

function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  keepChoice('theme', theme === 'system' ? null : theme);
  window.dispatchEvent(new Event(CHANGED));
}
