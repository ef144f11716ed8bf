import { useEffect, useSyncExternalStore } from 'react';
import './toaster.css';
import { leaveNote, takeNote } from '../../platform/storage/tab-notes.ts';
import type * as Loud from './toaster.tsx';

type Toasts = (typeof Loud)['toasts'];

/** The toaster is fetched with the first toast: most pages show none. */
let loaded: typeof Loud | null = null;
let loading: Promise<typeof Loud> | null = null;
const listeners = new Set<() => void>();

/** Fetches the toaster, so that it is available offline. */
export function loadToasts(): Promise<typeof Loud> {
  loading ??= import('./toaster.tsx').then((loud) => {
    loaded = loud;
    for (const listener of listeners) listener();
    return loud;
  });
  return loading;
}

const aloud =
  <Name extends keyof Toasts>(name: Name) =>
  (...words: Parameters<Toasts[Name]>): void => {
    const speak = async () => {
      const { toasts, isThere } = await loadToasts();
      await isThere;
      (toasts[name] as (...all: Parameters<Toasts[Name]>) => void)(...words);
    };
    // A failed download is retried with the next toast.
    speak().catch(() => (loading = null));
  };

/** Announcements of the product. The same id replaces the text of a visible toast. */
export const say = {
  working: aloud('working'),
  done: aloud('done'),
  note: aloud('note'),
  wrong: aloud('wrong'),
  noMore: (id: string): void => void (loading && aloud('noMore')(id)),
};

const NEXT_PAGE = 'plinth-say-';

/** Leaves a sentence to the next page: this one is being left, and its toast would be seen only briefly. */
export function sayOnNextPage(kind: 'done' | 'wrong', sentence: string): void {
  window.addEventListener('pagehide', () => leaveNote(NEXT_PAGE + kind, sentence), { once: true });
}

export function Toasts() {
  const loud = useSyncExternalStore(listen, readLoaded, readLoaded);
  useEffect(() => {
    for (const kind of ['done', 'wrong'] as const) {
      const sentence = takeNote(NEXT_PAGE + kind);
      if (sentence !== null) say[kind](sentence, { id: 'session' });
    }
  }, []);
  return loud && <loud.Toaster />;
}

const readLoaded = () => loaded;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
