import { useEffect, useRef, useState } from 'react';

/** "(1) Plinth" when something became ready while this tab was hidden. */
export function useUnseenTitle(finishedCount: number): void {
  const [seenCount, setSeenCount] = useState(finishedCount);
  const title = useRef('');
  useEffect(() => {
    // What was there when the tab was left has been seen as well.
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
