import { useQueryClient } from '@tanstack/react-query';
import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import { mainPictureField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useCreditHolds } from '../credits/useCredits.ts';
import { isSessionOver, toApiError, type ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useUser } from '../platform/useUser.ts';
import { say } from '../ui/toast.tsx';
import { findWrong, hasPictures, pictureOf, priceOf, type Draft } from './drafts.ts';
import { findChange, hasSamePictures, printForm } from './form-print.ts';
import { rememberUpload } from './recent-uploads.ts';
import { readStage, speakOf, type Refusal, type Stage } from './stage-store.ts';
import { isUnanswered, nextAttempt, submitGeneration, type Attempt } from './submit-generation.ts';
import { beforeKey, RECENT_KEY } from './useBefore.ts';
import type { Followed } from './running.ts';
import { FOLLOWED_KEY, putGeneration, readGeneration } from './useFollowed.ts';
import { rememberMarks } from './useMarks.ts';
import { useServedTool } from './useTools.ts';
import { forgetUnfinished, rememberUnfinished } from './unfinished.ts';
import { useStage } from './useStage.ts';

/** Idle, checking, running, ended: one tool's screen from the click to the result. */
export function useGeneration(toolId: ToolId, tool: Tool, draft: Draft, startAfresh: () => void) {
  const { stage, change, generation, isBusy, readNow } = useStage(toolId);
  const cancel = useCancel(generation);
  const show = useShow(toolId, change);
  const submit = useSubmit(toolId, tool, { change, readNow });
  const { isOver, ...form } = compareForm(tool, generation, stage, draft);
  return {
    /** What stands on the stage. */
    generation: isOver ? null : generation,
    isBusy,
    isChecking: stage.isChecking,
    sending: stage.sending,
    /** Stops what is on its way and not there yet. */
    stopSending: () => underWay.get(toolId)?.abort(),
    /** The generations made from the same photo, oldest first. */
    row: stage.row,
    ...form,
    /** Puts another generation on the stage. */
    show,
    /** What the server, or this page before it, did not take. */
    refused: stage.refusal,
    /** The sentence for the one error box: a refusal, or a failure that was not yet followed by an input. */
    refusal: stage.refusal ?? (isOver || stage.readFailureId === generation?.id ? null : failureOf(generation, tool)),
    submit,
    cancel,
    /** Hands the running one to the tray and gives a fresh form. */
    startAnother: () => {
      change({ generationId: null, refusal: null, row: [], made: {} });
      startAfresh();
    },
    /** A new input clears the earlier error; what still runs has none yet. */
    clearRefusal: () => change({ refusal: null, readFailureId: isBusy ? null : (generation?.id ?? null) }),
  };
}

/** Sends the form; what was refused comes back, so that the screen can lead there. */
function useSubmit(
  toolId: ToolId,
  tool: Tool,
  { change, readNow }: Pick<ReturnType<typeof useStage>, 'change' | 'readNow'>,
) {
  const accept = useAccept(tool);
  const send = useSend(toolId, tool, change);
  const refuse = useRefuse(toolId, change);
  return async (draft: Draft): Promise<Refusal | null> => {
    const now = readNow();
    if (now.isBusy) return null;
    const wrong = findWrong(tool, draft);
    if (wrong !== null) return refuse(wrong, `refused-${toolId}`);
    const attempt = nextAttempt(now.stage.attempt, draft);
    change({ isChecking: true, refusal: null, attempt });
    try {
      const accepted = await send(attempt);
      accept(accepted, attempt);
      change({
        isChecking: false,
        generationId: accepted.id,
        attempt: null,
        ...lineUp(tool, now.stage, accepted, draft),
      });
      forgetUnfinished();
      return null;
    } catch (cause) {
      if (cause instanceof Stopped) {
        // It keeps its key: should it have been taken all the same, nothing is paid twice.
        change({ isChecking: false });
        return null;
      }
      const error = toApiError(cause);
      if (!isUnanswered(error)) change({ attempt: null });
      if (isSessionOver(error)) {
        change({ isChecking: false });
        return null;
      }
      return refuse(explain(error, tool), attempt.key, error.code === 'insufficient_credits');
    }
  };
}

function compareForm(tool: Tool, generation: Generation | null, { made, readFailureId }: Stage, draft: Draft) {
  const from = generation === null ? undefined : made[generation.id];
  const now = printForm(tool, draft);
  const isOfSamePictures = from !== undefined && hasSamePictures(tool, from, now);
  return {
    /** What is different here from what the one on the stage was made from; null where it is another picture. */
    change: from === undefined ? null : findChange(tool, from, now),
    /** Whether its pictures are those of the one on the stage. */
    isOfSamePictures,
    isOver:
      generation !== null &&
      hasPictures(draft) &&
      isForOtherPictures(generation, from === undefined ? null : isOfSamePictures, readFailureId),
  };
}

/**
 * Whether it ended without a result, and the form has other pictures by now: what became of one photo says nothing of
 * the next. What was not about the photo is told first. Without any picture in the form it still stands; so does a free
 * try, which leads back to what was there before.
 */
function isForOtherPictures(generation: Generation, isSame: boolean | null, readFailureId: string | null): boolean {
  const { id, status, result, redoOf, error } = generation;
  if (!isTerminal(status) || result !== null || redoOf !== null) return false;
  const isAboutPhoto = error?.code === 'provider_rejected';
  if (isSame === null) return isAboutPhoto;
  return !isSame && (isAboutPhoto || readFailureId === id);
}

/** Says what was not taken, beside the form and aloud; without credits, with the way to them. */
function useRefuse(toolId: ToolId, change: (part: Partial<Stage>) => void) {
  return (refusal: Refusal, toastId: string, isPoor = false): Refusal => {
    if (isPoor) rememberUnfinished(toolId);
    change({ isChecking: false, refusal: { ...refusal, isPoor } });
    say.wrong(refusal.sentence, {
      id: toastId,
      ...(isPoor ? { action: { label: 'Credits', to: '/dashboard/credits' } } : {}),
    });
    return refusal;
  };
}

/** What is made from the same photo stands in one row. */
function lineUp(tool: Tool, { row, made }: Stage, accepted: Generation, draft: Draft): Pick<Stage, 'row' | 'made'> {
  const now = printForm(tool, draft);
  const last = made[row.at(-1) ?? ''];
  const isSame = last !== undefined && hasSamePictures(tool, last, now);
  return isSame
    ? { row: [...row, accepted.id], made: { ...made, [accepted.id]: now } }
    : { row: [accepted.id], made: { [accepted.id]: now } };
}

/** Forms that are on their way, to be stopped. */
const underWay = new Map<ToolId, AbortController>();

/** Sends an attempt; the balance shows it as spent until the server says so, or refuses. */
function useSend(toolId: ToolId, tool: Tool, change: (part: Partial<Stage>) => void) {
  const api = useApi();
  const credits = useCreditHolds();
  const { entry } = useServedTool(toolId);
  return async (attempt: Attempt): Promise<Generation> => {
    credits.hold(attempt.key, priceOf(tool, attempt.draft));
    const stopping = new AbortController();
    underWay.set(toolId, stopping);
    try {
      const accepted = await submitGeneration(api, toolId, tool, attempt, {
        takes: entry?.fields.map(({ name }) => name),
        signal: stopping.signal,
        onSent: (sent, total) => change({ sending: sent < total ? { sent, total } : null }),
      });
      void credits.settle(attempt.key);
      return accepted;
    } catch (cause) {
      credits.release(attempt.key);
      throw stopping.signal.aborted ? new Stopped() : cause;
    } finally {
      underWay.delete(toolId);
      change({ sending: null });
    }
  };
}

/** Its person stopped it before it was there. */
class Stopped extends Error {}

/** Takes an accepted generation in: it is followed, it may speak, and its picture is kept for the stage. */
function useAccept(tool: Tool) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  return (accepted: Generation, { key, draft }: Attempt) => {
    speakOf(accepted.id, key);
    putGeneration(queryClient, accepted);
    for (const name of Object.keys(tool.fields)) {
      const marks = pictureOf(draft, name)?.marks;
      if (marks !== undefined) rememberMarks(userId, accepted.id, marks);
    }
    const picture = pictureOf(draft, mainPictureField(tool));
    if (picture === undefined) return;
    queryClient.setQueryData<Blob | null>(beforeKey(accepted.id), picture.file);
    const isOwnUpload = picture.isSample !== true && picture.mediaId === undefined;
    void rememberUpload(userId, { file: picture.file, isSample: !isOwnUpload }, accepted.id)
      .catch(() => undefined) // Private windows keep nothing; the picture is still in this page.
      .then(() => queryClient.invalidateQueries({ queryKey: RECENT_KEY }));
  };
}

/** Leads to a generation; one that is not followed, like the first of a try that a reload took up, is read. */
function useShow(toolId: ToolId, change: (part: Partial<Stage>) => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return (generationId: string): void => {
    const { row } = readStage(toolId);
    change({ generationId, refusal: null, row: row.includes(generationId) ? row : [...row, generationId] });
    const followed = queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? [];
    if (followed.some(({ id }) => id === generationId)) return;
    readGeneration(api, generationId).then(
      (generation) => putGeneration(queryClient, generation),
      () => undefined, // The stage stays fresh.
    );
  };
}

function useCancel(generation: Generation | null) {
  const api = useApi();
  const queryClient = useQueryClient();
  return async (): Promise<void> => {
    if (generation === null) return;
    try {
      const path = `/api/v1/generations/${generation.id}/cancel`;
      putGeneration(queryClient, await api.send(path, generationSchema, { method: 'POST' }));
    } catch (cause) {
      const error = toApiError(cause);
      if (isSessionOver(error)) return;
      if (error.code !== 'not_cancelable') return void say.wrong(error.message, { id: `cancel-${generation.id}` });
      putGeneration(queryClient, await readGeneration(api, generation.id));
    }
  };
}

function failureOf(generation: Generation | null, tool: Tool): Refusal | null {
  if (generation?.status !== 'failed') return null;
  return { sentence: generation.error?.message ?? tool.says.failed, field: null };
}

function explain(error: ApiError, tool: Tool): Refusal {
  if (error.code === 'unexpected') return { sentence: tool.says.failed, field: null };
  return { sentence: error.message, field: error.fields[0]?.field ?? null };
}
