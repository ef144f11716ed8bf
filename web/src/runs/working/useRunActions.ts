import { useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Marks } from '@plinth/contract/marks';
import { runSchema, type Run, type RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { refetchCredits } from '../../credits/useCredits.ts';
import { isGone, type Api } from '../../platform/api.ts';
import { refuseFile } from '../../platform/picture-file.ts';
import { useApi } from '../../platform/useApi.ts';
import { useAttemptKey } from '../../platform/useAttemptKey.ts';
import { useUndoable } from '../../platform/useUndoable.ts';
import { say } from '../../ui/above/toast.tsx';
import { useAction } from '../../ui/useAction.ts';
import { RUNS_KEY, runKey } from '../keys.ts';
import { replacePhotoOf } from '../photo-actions.ts';
import { pictureField } from '../run-form.ts';
import { sendReplacement } from '../upload/send-photo.ts';
import { useUploads } from '../upload/useUploads.ts';

/** A user's actions on a run or one of its items. Refusals are shown. */
export function useRunActions(run: Run) {
  const queryClient = useQueryClient();
  const uploads = useUploads();
  const attempt = useAttemptKey();
  const toastId = `run-act-${run.id}`;
  const { mutate: act, isPending: isBusy } = useAction(
    (api, work: (api: Api) => Promise<unknown>) => work(api).finally(() => refetchCredits(queryClient)),
    { stale: RUNS_KEY, toastId },
  );
  const change = async (api: Api, how: 'close' | 'cancel' | 'retry', body?: { items: string[]; marks?: Marks }) => {
    const changed = await api.send(`/api/v1/runs/${run.id}/${how}`, runSchema, { method: 'POST', body });
    queryClient.setQueryData<Run>(runKey(run.id), changed);
    return changed;
  };
  return {
    isBusy,
    close: () => act((api) => change(api, 'close')),
    retry: (items: readonly RunItem[]) => act((api) => change(api, 'retry', { items: items.map(({ id }) => id) })),
    /**
     * Retries the photo with marks, charged like the first. A repeated request is the same try while that has not
     * failed.
     */
    mark: ({ id }: RunItem, marks: Marks) => act((api) => change(api, 'retry', { items: [id], marks })),
    cancel: () =>
      act(async (api) => {
        await change(api, 'cancel');
        uploads.forget(run.id);
        // The button that asked disappears, and the focus with it.
        document.querySelector('h1')?.focus();
      }),
    /** Sends another photo for a failed item, charged like the first. */
    replace: (item: RunItem, file: File) => {
      const refusal = refuseFile(file, pictureField(tools[run.tool]));
      if (refusal !== null) return say.wrong(refusal, { id: toastId });
      const key = attempt.keyOf(JSON.stringify([item.id, file.name, file.size]));
      act(async (api) => {
        await sendReplacement(api, { runId: run.id, item, file }, key);
        attempt.forget();
        replacePhotoOf(item.id, file);
      });
    },
  };
}

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
