import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export const UNDO_MS = 6000;

/** Sends at once what is still waiting: after sign-out it may no longer be sent. */
export const beforeSignOut = new Set<() => Promise<void>>();

type UndoableOptions = {
  /** Sends the changes once they can no longer be undone; `show` brings back refused ones. */
  send: (ids: readonly string[], show: (id: string) => void) => Promise<void>;
  /** True if changes wait together and one Undo brings all back; otherwise a new change sends the waiting ones. */
  isGathering?: boolean;
  /** What an earlier page changed and is still to be sent. */
  hiddenBefore?: () => readonly string[];
};

/**
 * Undo instead of a confirmation. Changes are sent when their time is over, the screen or page is left, or the user
 * signs out. `hidden` are all changed items, `waiting` those that can be undone.
 */
export function useUndoable({ send, isGathering = false, hiddenBefore }: UndoableOptions) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(hiddenBefore?.()));
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  /** Not sent when their wait ends: restored, or still waiting with others. */
  const spared = useRef(new Set<string>());
  const show = (...ids: readonly string[]) =>
    setHidden((before) => new Set([...before].filter((id) => !ids.includes(id))));
  const spare = (ids: readonly string[]) => ids.forEach((id) => spared.current.add(id));

  const finish = useEffectEvent((ids: readonly string[]) => send(ids, show));
  useEffect(() => {
    if (waiting.length === 0) return undefined;
    const { current } = spared;
    for (const id of waiting) current.delete(id);
    const timer = setTimeout(() => setWaiting([]), UNDO_MS);
    let sending: Promise<void> | undefined;
    // Sent at once, because a closing page has no later moment.
    const leave = () => flushSync(() => setWaiting([]));
    const signOut = async () => {
      leave();
      await sending;
    };
    window.addEventListener('pagehide', leave);
    beforeSignOut.add(signOut);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', leave);
      beforeSignOut.delete(signOut);
      const due = waiting.filter((id) => !current.has(id));
      if (due.length > 0) sending = finish(due);
    };
  }, [waiting]);

  return {
    hidden,
    waiting,
    add: (...ids: readonly string[]) => {
      if (isGathering) spare(waiting);
      setHidden((before) => new Set([...before, ...ids]));
      setWaiting(isGathering ? [...waiting, ...ids] : ids);
    },
    undo: () => {
      spare(waiting);
      show(...waiting);
      setWaiting([]);
    },
  };
}
