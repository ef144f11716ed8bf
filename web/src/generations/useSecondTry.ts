import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { sentences } from '@plinth/contract/errors';
import { generationSchema, type Generation, type ReturnReason } from '@plinth/contract/generations';
import { isOutcomeUnknown, isSessionOver, toApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useAttemptKey } from '../platform/useAttemptKey.ts';
import { say } from '../ui/above/toast.tsx';
import { applyChange, type Change } from './form-fingerprint.ts';
import { rememberForm, assignToast, useMemory } from './memory.ts';
import { putGeneration, readFollowed, refreshGeneration } from './followed.ts';
import { TOOLS_KEY } from './useTools.ts';

/** The result data used by the large view of the history. */
export const VIEWED_KEY = ['viewed'];

export type SecondTry = ReturnType<typeof useSecondTry>;

/** Free tries and the return of a generation; null while the stage is empty. */
export function useSecondTry(generation: Generation | null, onShow: (generationId: string) => void) {
  const { isSending, send, readAnew } = useSend(generation);
  const attempt = useAttemptKey();
  const firstId = generation?.redoOf ?? generation?.id ?? '';
  return {
    isSending,
    redo: async (change: Change): Promise<Generation | null> => {
      const fromId = generation?.id ?? '';
      const key = attempt.keyOf(JSON.stringify([fromId, change]));
      const unexpected = Object.keys(change).length > 0 ? sentences.otherSettingsFailed : undefined;
      const answer = await send(`${fromId}/redo`, change, key, attempt.forget, unexpected);
      if (answer === null) return null;
      take(answer, fromId, change);
      onShow(answer.id);
      return answer;
    },
    giveBack: async (reason: ReturnReason): Promise<void> => {
      // A repeat after a lost response is the same return.
      const answer = await send(`${firstId}/return`, { reason }, reason);
      if (answer === null) return;
      readAnew();
      putGeneration(answer);
      // The form stays: it is what the returned result was last made from.
      const { made, toastIds } = useMemory.getState();
      const returned = made[generation?.id ?? ''];
      if (returned !== undefined) rememberForm(answer.id, returned);
      onShow(answer.id);
      // Old toasts of the result and of its origin are dismissed; the stage shows the rest.
      for (const id of [firstId, generation?.id ?? '']) say.noMore(toastIds.get(id) ?? id);
    },
  };
}

/** Sends one request at a time. A refusal is shown, and the possible actions are fetched again. */
function useSend(generation: Generation | null) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isSending, setIsSending] = useState(false);
  const readAnew = () => {
    for (const queryKey of [TOOLS_KEY, VIEWED_KEY]) void queryClient.invalidateQueries({ queryKey });
  };
  const send = async (
    path: string,
    body: object,
    idempotencyKey: string,
    onAnswer?: () => void,
    unexpected?: string,
  ) => {
    if (isSending || generation === null) return null;
    setIsSending(true);
    try {
      const sent = { method: 'POST', body, idempotencyKey };
      const answer = await api.send(`/api/v1/generations/${path}`, generationSchema, sent);
      onAnswer?.();
      return answer;
    } catch (cause) {
      const error = toApiError(cause);
      if (!isOutcomeUnknown(error)) onAnswer?.();
      const sentence = (error.code === 'unexpected' && unexpected) || error.message;
      if (!isSessionOver(error)) say.wrong(sentence, { id: 'second' });
      if (error.status === 409) {
        readAnew();
        // A viewed result triggers no toast.
        if (readFollowed().some(({ id }) => id === generation.id)) await refreshGeneration(api, generation.id);
      }
      return null;
    } finally {
      setIsSending(false);
    }
  };
  return { isSending, send, readAnew };
}

function take(accepted: Generation, fromId: string, change: Change): void {
  assignToast(accepted.id, accepted.id);
  rememberForm(accepted.id, applyChange(useMemory.getState().made[fromId] ?? {}, change));
  putGeneration(accepted);
  // The tries are shared by everything made from the same first generation.
  const { redoOf, redosLeft } = accepted;
  for (const one of readFollowed()) if ([one.id, one.redoOf].includes(redoOf)) putGeneration({ ...one, redosLeft });
}
