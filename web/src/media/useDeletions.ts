import { useQueryClient } from '@tanstack/react-query';
import { isGone } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useUndoable } from '../platform/useUndoable.ts';
import { say } from '../ui/above/toast.tsx';
import { MEDIA_KEY } from './media-queries.ts';

/** Deletions with Undo; a new one sends those before it. */
export function useDeletions() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useUndoable({
    send: async (ids, show) => {
      const remove = async (mediaId: string) => {
        try {
          await api.command(`/api/v1/media/${mediaId}`, { method: 'DELETE', keepalive: true });
        } catch (cause) {
          if (isGone(cause)) return;
          show(mediaId);
          say.wrong('The picture could not be deleted. It is back in your history.', { id: 'delete' });
        }
      };
      await Promise.all(ids.map(remove));
      void queryClient.invalidateQueries({ queryKey: MEDIA_KEY });
    },
  });
}
