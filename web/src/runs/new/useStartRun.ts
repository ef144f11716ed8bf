import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { runSchema } from '@plinth/contract/runs';
import { findTextField } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import { useApi } from '../../platform/useApi.ts';
import { useAttemptKey } from '../../platform/useAttemptKey.ts';
import { useUser } from '../../platform/useUser.ts';
import { say } from '../../ui/above/toast.tsx';
import { explainAsSaid, useForm } from '../../ui/fields/useForm.ts';
import { chosenIn, factsOf, validateRunForm, priceOfRun } from '../run-form.ts';
import { areStored, photosOf, putPhotos } from '../photo-actions.ts';
import { NOT_STARTED } from '../photos.ts';
import { useUploads } from '../upload/useUploads.ts';
import { beginNext, type useNewRun } from './useNewRun.ts';
import { LIST_KEY } from '../keys.ts';
import { runPath } from '../useRuns.ts';

/** Starts a catalogue: creates the run, then uploads its photos one by one while the user goes on. */
export function useStartRun({ form, photos }: ReturnType<typeof useNewRun>) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const uploads = useUploads();
  const { id: userId } = useUser();
  const attempt = useAttemptKey();

  const start = async () => {
    const { heightCm: _ofPhotos, ...body } = chosenIn(form);
    const idempotencyKey = attempt.keyOf(JSON.stringify(body));
    const run = await api.send('/api/v1/runs', runSchema, { method: 'POST', body, idempotencyKey });
    const wordsField = findTextField(tools[form.tool])?.name ?? null;
    const price = priceOfRun(body);
    // The photos of the press in their current state: some may have been changed or left out meanwhile.
    const own = photosOf(NOT_STARTED)
      .filter(({ id }) => photos.some((one) => one.id === id))
      .map((photo) => ({ ...photo, runId: run.id, wordsField, price, facts: factsOf(form, photo) }));
    putPhotos(own);
    void uploads.claim(run.id, true);
    beginNext();
    void queryClient.invalidateQueries({ queryKey: LIST_KEY });
    await navigate({ to: runPath(run.id), replace: true });
    if (!(await areStored(userId, own)))
      say.note('This browser keeps no photos: leave this page open until all are uploaded.', { id: 'kept' });
  };
  return useForm({ check: () => validateRunForm(form), send: start, explain: explainAsSaid, toastId: 'start-run' });
}
