import { useEffect, useRef, useState } from 'react';

/** Shows "(1) Plinth" if something finished while this tab was hidden. */
export function useUnseenTitle(finishedCount: number): void {
  const [seenCount, setSeenCount] = useState(finishedCount);
  const title = useRef('');
  useEffect(() => {
    // Anything shown before the tab was hidden counts as seen.
    const handleVisibility = () => setSeenCount(finishedCount);
    document.addEventListener('visibilitychange', handleVisibility);
    return () => document.removeEventListener('visibilitychange', handleVisibility);
  }, [finishedCount]);
  const unseen = finishedCount - seenCount;
  useEffect(() => {
    if (!document.hidden || unseen <= 0) return undefined;
    title.current = document.title;
    document.title = `(${unseen}) Plinth`;
    return () => {
      document.title = title.current;
    };
  }, [unseen]);
}
