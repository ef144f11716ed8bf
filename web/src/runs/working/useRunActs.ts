import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Marks } from '@plinth/contract/marks';
import { runSchema, type Run, type RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { refetchCredits } from '../../credits/useCredits.ts';
import { refuseFile } from '../../platform/picture-file.ts';
import { useApi } from '../../platform/useApi.ts';
import { useAttemptKey } from '../../platform/useAttemptKey.ts';
import { plural } from '../../ui/format.ts';
import { sayRefused } from '../../ui/above/say-refused.ts';
import { say } from '../../ui/above/toast.tsx';
import { RUNS_KEY, runKey } from '../keys.ts';
import { exchangePhotoOf } from '../photo-acts.ts';
import { pictureField } from '../run-form.ts';
import { sendReplacement } from '../upload/send-photo.ts';
import { useUploads } from '../upload/useUploads.ts';

/** What a person does with a run or one of its items, one at a time. What is refused is said. */
export function useRunActs(run: Run) {
  const api = useApi();
  const queryClient = useQueryClient();
  const uploads = useUploads();
  const [isBusy, setBusy] = useState(false);
  const attempt = useAttemptKey();
  const toastId = `run-act-${run.id}`;

  const act = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (cause) {
      sayRefused(cause, toastId);
    } finally {
      setBusy(false);
      void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
      refetchCredits(queryClient);
    }
  };
  const change = async (how: 'close' | 'cancel' | 'retry', body?: { items: string[]; marks?: Marks }) => {
    const changed = await api.send(`/api/v1/runs/${run.id}/${how}`, runSchema, { method: 'POST', body });
    queryClient.setQueryData<Run>(runKey(run.id), changed);
    return changed;
  };
  return {
    isBusy,
    close: () => act(() => change('close')),
    retry: (items: readonly RunItem[]) => act(() => change('retry', { items: items.map(({ id }) => id) })),
    /** The same photo with marks, paid for like the first. Asked for again it is that try: it has not failed yet. */
    mark: ({ id }: RunItem, marks: Marks) => void act(() => change('retry', { items: [id], marks })),
    cancel: () =>
      act(async () => {
        const { credits } = await change('cancel');
        uploads.forget(run.id);
        const returned = credits.returned - run.credits.returned;
        const says = returned > 0 ? `Canceled. ${plural(returned, 'credit')} returned.` : 'Canceled.';
        say.note(says, { id: `run-${run.id}`, icon: 'returned' });
      }),
    drop: (...items: readonly RunItem[]) =>
      act(async () => {
        for (const { id } of items) {
          await api.command(`/api/v1/runs/${run.id}/items/${id}`, { method: 'DELETE' });
          exchangePhotoOf(id, null);
        }
      }),
    /** Another photo for an item that did not work. It is paid for like the first. */
    replace: (item: RunItem, file: File) => {
      const refusal = refuseFile(file, pictureField(tools[run.tool]));
      if (refusal !== null) return void say.wrong(refusal, { id: toastId });
      const key = attempt.keyOf(JSON.stringify([item.id, file.name, file.size]));
      void act(async () => {
        await sendReplacement(api, { runId: run.id, item, file }, key);
        attempt.forget();
        exchangePhotoOf(item.id, file);
      });
    },
  };
}
