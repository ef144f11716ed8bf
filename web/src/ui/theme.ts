import { useState } from 'react';
import { keepChoice, readChoice } from './fields/choice.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The theme of this page and a function that changes it. At most one part of the page uses it at a time. */
export function useTheme() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme) => {
    const root = document.documentElement;
    if (chosen === 'system') delete root.dataset.theme;
    else root.dataset.theme = chosen;
    keepChoice('theme', chosen === 'system' ? null : chosen);
    setTheme(chosen);
  };
  return [theme, choose] as const;
}

const readTheme = () => themes.find((one) => one === document.documentElement.dataset.theme) ?? 'system';

/** Vite's development server does not set the theme in pages: the cookie is read here. */
export function applyChosenTheme(): void {
  const chosen = readChoice('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
