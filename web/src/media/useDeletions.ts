import { useQueryClient } from '@tanstack/react-query';
import { isSessionOver, toApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useUndoable } from '../platform/useUndoable.ts';
import { useUser } from '../platform/useUser.ts';
import { say } from '../ui/above/toast.tsx';
import { MEDIA_KEY } from './media-queries.ts';
import { deleteMedia, forgetUnsent, readUnsent, rememberUnsent } from './unsent-deletions.ts';

/** Browsers refuse more than some 200 requests that outlive their page. */
const AT_ONCE = 100;

const KEPT = {
  one: 'The picture could not be deleted. It is back in your history.',
  many: 'Some pictures could not be deleted. They are back in your history.',
};

/** Deletions with Undo; a new one sends those before it. */
export function useDeletions() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  return useUndoable({
    hiddenBefore: () => readUnsent(userId),
    send: async (ids, show) => {
      let kept = 0;
      const remove = async (mediaId: string) => {
        try {
          await deleteMedia(api, mediaId);
        } catch (cause) {
          if (isSessionOver(toApiError(cause))) return; // The next sign-in sends it.
          show(mediaId);
          kept += 1;
        }
        forgetUnsent(userId, mediaId);
      };
      rememberUnsent(userId, ids);
      for (let sent = 0; sent < ids.length; sent += AT_ONCE)
        await Promise.all(ids.slice(sent, sent + AT_ONCE).map(remove));
      if (kept > 0) say.wrong(kept === 1 ? KEPT.one : KEPT.many, { id: 'delete' });
      void queryClient.invalidateQueries({ queryKey: MEDIA_KEY });
    },
  });
}
