import { useEffect, useEffectEvent } from 'react';

/** What is open above the screen: there, Enter belongs to what is open. */
const OPEN_ABOVE = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox]';

/** Ctrl or Cmd with Enter generates, wherever the focus is. On a link it opens a new tab, as everywhere else. */
export function useGenerateKey(isReady: boolean, onGenerate: () => void): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || !isReady) return;
    if (event.target instanceof Element && event.target.closest('a[href]')) return;
    if (document.querySelector(OPEN_ABOVE)) return;
    event.preventDefault();
    onGenerate();
  });
  useEffect(() => {
    const handler = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', handler);
    return () => window.removeEventListener('keydown', handler);
  }, []);
}
