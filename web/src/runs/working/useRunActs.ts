import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { runSchema, type Run, type RunItem } from '@plinth/contract/runs';
import { refetchCredits } from '../../credits/useCredits.ts';
import { isSessionOver, toApiError } from '../../platform/api.ts';
import { useApi } from '../../platform/useApi.ts';
import { plural } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';
import { useUploads } from '../upload/useUploads.ts';
import { RUNS_KEY, runKey } from '../keys.ts';

/** What a person does with a whole run, one at a time. What is refused is said. */
export function useRunActs(run: Run) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { uploads } = useUploads();
  const [isBusy, setBusy] = useState(false);

  const act = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (cause) {
      const error = toApiError(cause);
      if (isSessionOver(error)) return;
      const { code, message } = error;
      const action = code === 'insufficient_credits' ? { action: { label: 'Credits', to: '/dashboard/credits' } } : {};
      say.wrong(message, { id: `run-act-${run.id}`, ...action });
    } finally {
      setBusy(false);
      void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
      refetchCredits(queryClient);
    }
  };
  const change = async (how: 'close' | 'cancel' | 'retry', body?: { items: string[] }) => {
    const changed = await api.send(`/api/v1/runs/${run.id}/${how}`, runSchema, {
      method: 'POST',
      ...(body && { body }),
    });
    queryClient.setQueryData<Run>(runKey(run.id), changed);
    return changed;
  };
  return {
    isBusy,
    close: () => act(async () => void (await change('close'))),
    retry: (items: readonly RunItem[]) =>
      act(async () => void (await change('retry', { items: items.map(({ id }) => id) }))),
    cancel: () =>
      act(async () => {
        await uploads.forget(run.id);
        const { credits } = await change('cancel');
        const returned = credits.returned - run.credits.returned;
        say.note(returned > 0 ? `Canceled. ${plural(returned, 'credit')} returned.` : 'Canceled.', {
          id: `run-${run.id}`,
          icon: 'returned',
        });
      }),
    drop: (...items: readonly RunItem[]) =>
      act(async () => {
        for (const { id } of items) await api.command(`/api/v1/runs/${run.id}/items/${id}`, { method: 'DELETE' });
      }),
  };
}
