import { useEffect, useMemo, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/toast.tsx';
import { createDeletions } from './deletions.ts';
import { MEDIA_KEY } from './media-queries.ts';

/** Deleting with a way back. What waits is sent when the screen or the page is left. */
export function useDeletions() {
  const api = useApi();
  const queryClient = useQueryClient();
  const [state, setState] = useState<{ hidden: ReadonlySet<string>; undoable: string | null }>({
    hidden: new Set(),
    undoable: null,
  });
  const deletions = useMemo(
    () =>
      createDeletions({
        send: async (mediaId) => {
          await deleteMedia(api, mediaId);
          await queryClient.invalidateQueries({ queryKey: MEDIA_KEY });
        },
        onChange: (hidden, undoable) => setState({ hidden, undoable }),
        onFailed: () => say.wrong('The picture could not be deleted. It is back in your history.', { id: 'delete' }),
      }),
    [api, queryClient],
  );
  useEffect(() => {
    window.addEventListener('pagehide', deletions.flush);
    return () => {
      window.removeEventListener('pagehide', deletions.flush);
      deletions.flush();
    };
  }, [deletions]);
  return { ...state, add: deletions.add, undo: deletions.undo };
}

async function deleteMedia(api: ReturnType<typeof useApi>, mediaId: string): Promise<void> {
  try {
    await api.command(`/api/v1/media/${mediaId}`, { method: 'DELETE', keepalive: true });
  } catch (cause) {
    const isGone = cause instanceof ApiError && cause.status === 404;
    if (!isGone) throw cause;
  }
}
