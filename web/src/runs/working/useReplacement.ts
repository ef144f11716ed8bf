import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Marks } from '@plinth/contract/marks';
import type { RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { refetchCredits } from '../../credits/useCredits.ts';
import { isSessionOver, toApiError } from '../../platform/api.ts';
import { useApi } from '../../platform/useApi.ts';
import { say } from '../../ui/toast.tsx';
import { refuseFile } from '../upload/photo-problems.ts';
import type { Photo } from '../photos.ts';
import { pictureField } from '../run-form.ts';
import { countReplaced } from '../upload/useKeptPhotos.ts';
import { sendReplacement } from '../upload/send-photo.ts';
import { useUploads } from '../upload/useUploads.ts';
import { RUNS_KEY } from '../keys.ts';

/** Another photo, or the same with marks, for an item that did not work. It is paid for like the first. */
export function useReplacement(runId: string, item: RunItem) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { store } = useUploads();
  const [isSending, setSending] = useState(false);
  const attempt = useRef<{ file: Blob; marks: string; key: string } | null>(null);

  const send = async (file: Blob, name: string, marks?: Marks) => {
    const about = { id: `replace-${item.id}` };
    const refusal = refuseFile({ type: file.type, bytes: file.size }, pictureField(tools[item.generation.tool]));
    if (refusal !== null) return void say.wrong(refusal, about);
    const drawn = JSON.stringify(marks ?? null);
    const last = attempt.current;
    // The same press after a lost connection keeps its key, so that it is paid for once.
    const isSame = last !== null && last.file === file && last.marks === drawn;
    const { key } = (attempt.current = isSame ? last : { file, marks: drawn, key: crypto.randomUUID() });
    setSending(true);
    try {
      await sendReplacement(api, { runId, item, file, name, ...(marks && { marks }) }, key);
      attempt.current = null;
      await keep(key, file, name).catch(() => undefined); // Private windows keep nothing.
    } catch (cause) {
      const error = toApiError(cause);
      if (isSessionOver(error)) return;
      const { code, message } = error;
      const action = code === 'insufficient_credits' ? { action: { label: 'Credits', to: '/dashboard/credits' } } : {};
      say.wrong(message, { ...about, ...action });
    } finally {
      setSending(false);
      void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
      refetchCredits(queryClient);
    }
  };

  /** So that it can be marked, too, in place of the one before. */
  const keep = async (id: string, file: Blob, name: string) => {
    const before = (await store.list()).filter(({ itemId }) => itemId === item.id);
    const photo: Photo = {
      id,
      runId,
      name,
      path: name,
      type: file.type,
      bytes: file.size,
      sku: item.sku ?? '',
      words: '',
      wordsField: null,
      state: 'settled',
      itemId: item.id,
      refusal: null,
      addedAt: Date.now(),
      place: 0,
    };
    await store.keep([photo]);
    await store.keepFile(id, file);
    await store.drop(before.map((one) => one.id));
    countReplaced();
  };
  return { send, isSending };
}
