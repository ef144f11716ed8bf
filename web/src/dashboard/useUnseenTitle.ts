import { useEffect, useState } from 'react';

/** Shows "(1) Plinth" if something finished while this tab was hidden. */
export function useUnseenTitle(finishedCount: number): void {
  const [seenCount, setSeenCount] = useState(finishedCount);
  useEffect(() => {
    // Anything shown before the tab was hidden counts as seen.
    const handleVisibility = () => setSeenCount(finishedCount);
    document.addEventListener('visibilitychange', handleVisibility);
    return () => document.removeEventListener('visibilitychange', handleVisibility);
  }, [finishedCount]);
  const unseen = finishedCount - seenCount;
  useEffect(() => {
    if (!document.hidden || unseen <= 0) return undefined;
    const { title } = document;
    document.title = `(${unseen}) Plinth`;
    return () => {
      document.title = title;
    };
  }, [unseen]);
}
