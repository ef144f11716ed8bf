import { useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Run } from '@plinth/contract/runs';
import { isGone } from '../../platform/api.ts';
import { useApi } from '../../platform/useApi.ts';
import { useUndoable } from '../../platform/useUndoable.ts';
import { say } from '../../ui/above/toast.tsx';
import { RUNS_KEY } from '../keys.ts';
import { replacePhotoOf } from '../photo-actions.ts';

/**
 * Leaves items out of a run, which can be undone. Until then their rows stay where they are, so that no other one comes
 * under the pointer.
 */
export function useLeaveOut({ id: runId }: Pick<Run, 'id'>) {
  const api = useApi();
  const queryClient = useQueryClient();
  const pressed = useRef<Element | null>(null);
  const { hidden, waiting, add, undo } = useUndoable({
    isGathering: true,
    send: async (itemIds, show) => {
      for (const itemId of itemIds) {
        try {
          await api.command(`/api/v1/runs/${runId}/items/${itemId}`, { method: 'DELETE', keepalive: true });
        } catch (cause) {
          if (isGone(cause)) continue;
          show(itemId);
          say.wrong('Not all could be left out. What could not is back in the list.', { id: `run-act-${runId}` });
          continue;
        }
        replacePhotoOf(itemId, null);
      }
      void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
    },
  });
  return {
    waiting,
    isLeft: (itemId: string) => hidden.has(itemId),
    leaveOut: (...itemIds: readonly string[]) => {
      pressed.current = document.activeElement;
      add(...itemIds);
    },
    undo: () => {
      undo();
      if (pressed.current instanceof HTMLElement) pressed.current.focus();
    },
  };
}
