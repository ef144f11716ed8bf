import { useEffect, useSyncExternalStore } from 'react';
import './toaster.css';
import { leaveNote, takeNote } from '../../platform/kept/tab-notes.ts';
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

/** Shows it on the next page, for a sentence whose page leaves at once. */
export function sayOnNextPage(sentence: string): void {
  leaveNote(NEXT_PAGE, sentence);
}
const NEXT_PAGE = 'plinth-say';

export function Toasts() {
  const loud = useSyncExternalStore(listen, readLoaded, readLoaded);
  useEffect(() => {
    const sentence = takeNote(NEXT_PAGE);
    if (sentence !== null) say.done(sentence, { id: 'sign-in' });
  }, []);
  return loud && <loud.Toaster />;
}

const readLoaded = () => loaded;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
