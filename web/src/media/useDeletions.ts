import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../platform/api.ts';
import { beforeSignOut } from '../platform/kept/client-store.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/above/toast.tsx';
import { MEDIA_KEY } from './media-queries.ts';

export const UNDO_MS = 6000;

/**
 * Undo in place of "are you sure": a deletion waits to be sent, one at a time, until its time is over, another one
 * comes, the screen or the page is left, or its person signs out. `hidden` are those that are not shown any more.
 */
export function useDeletions() {
  const api = useApi();
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [waiting, setWaiting] = useState<string | null>(null);
  const undone = useRef(new Set<string>());
  const show = (mediaId: string) => setHidden((before) => new Set([...before].filter((id) => id !== mediaId)));

  const send = useEffectEvent(async (mediaId: string) => {
    try {
      await api.command(`/api/v1/media/${mediaId}`, { method: 'DELETE', keepalive: true });
    } catch (cause) {
      const isGone = cause instanceof ApiError && cause.status === 404;
      if (!isGone) {
        show(mediaId);
        return say.wrong('The picture could not be deleted. It is back in your history.', { id: 'delete' });
      }
    }
    void queryClient.invalidateQueries({ queryKey: MEDIA_KEY });
  });
  useEffect(() => {
    if (waiting === null) return undefined;
    const timer = setTimeout(() => setWaiting(null), UNDO_MS);
    let sending: Promise<void> | undefined;
    // At once: there is no other moment for a page that goes.
    const leave = () => flushSync(() => setWaiting(null));
    const signOut = async () => {
      leave();
      await sending;
    };
    window.addEventListener('pagehide', leave);
    beforeSignOut.add(signOut);
    const { current } = undone;
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', leave);
      beforeSignOut.delete(signOut);
      if (!current.has(waiting)) sending = send(waiting);
    };
  }, [waiting]);

  return {
    hidden,
    undoable: waiting,
    add: (mediaId: string) => {
      undone.current.delete(mediaId);
      setHidden((before) => new Set([...before, mediaId]));
      setWaiting(mediaId);
    },
    undo: () => {
      if (waiting === null) return;
      undone.current.add(waiting);
      show(waiting);
      setWaiting(null);
    },
  };
}
