import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import { isGuide, mainPictureField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useCreditHolds } from '../credits/useCredits.ts';
import { isSessionOver, toApiError, type Api, type ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/toast.tsx';
import { findWrong, isPicture, pictureOf, priceOf, type Draft } from './drafts.ts';
import { hasSamePictures, printForm } from './form-print.ts';
import {
  changeStage,
  changeTool,
  readTool,
  rememberMarks,
  rememberUpload,
  speakOf,
  useMemory,
  type Attempt,
  type Refusal,
} from './memory.ts';
import { putGeneration, readFollowed } from './useFollowed.ts';
import { useServedTool } from './useTools.ts';

/** Sends a tool's form: held in the balance, sent, and on the stage; or refused, beside the form and aloud. */
export function useSubmit(toolId: ToolId, tool: Tool): (draft: Draft) => Promise<void> {
  const api = useApi();
  const credits = useCreditHolds();
  const { entry } = useServedTool(toolId);
  const takes = entry?.fields.map(({ name }) => name);
  return async (draft) => {
    // Two quick presses both come before the first is drawn.
    if (isBusy(toolId)) return;
    const wrong = findWrong(tool, draft);
    if (wrong !== null) return refuse(toolId, wrong, `refused-${toolId}`);
    const attempt = nextAttempt(readTool(toolId).stage.attempt, tool, draft);
    const stopping = new AbortController();
    const tell = (bytes: { sent: number; total: number } | null) =>
      changeTool(toolId, { sending: { bytes, stop: () => stopping.abort() } });
    changeTool(toolId, { refusal: null });
    changeStage(toolId, { attempt });
    tell(null);
    credits.hold(attempt.key, priceOf(tool, draft));
    try {
      const accepted = await sendForm(api, toolId, makeForm(tool, draft, takes), attempt.key, {
        signal: stopping.signal,
        onSent: (sent, total) => tell(sent < total ? { sent, total } : null),
      });
      void credits.settle(attempt.key);
      accept(tool, accepted, attempt.key, draft);
    } catch (cause) {
      credits.release(attempt.key);
      changeTool(toolId, { sending: null });
      // What its person stopped keeps its key, too: should it have been taken all the same, nothing is paid twice.
      if (stopping.signal.aborted) return;
      const error = toApiError(cause);
      if (!isUnanswered(error)) changeStage(toolId, { attempt: null });
      if (isSessionOver(error)) return;
      refuse(toolId, explain(error, tool), attempt.key, error.code === 'insufficient_credits');
    }
  };
}

function isBusy(toolId: ToolId): boolean {
  const { sending, stage } = readTool(toolId);
  return sending !== null || readFollowed().some(({ id, status }) => id === stage.shown && !isTerminal(status));
}

/** The same form sent again without an answer keeps its key, also after a reload, so that nothing is paid twice. */
export function nextAttempt(last: Attempt | null, tool: Tool, draft: Draft): Attempt {
  const dates = Object.values(draft).map((value) => (isPicture(value) ? value.file.lastModified : null));
  const form = JSON.stringify([printForm(tool, draft), dates]);
  return last?.form === form ? last : { key: crypto.randomUUID(), form };
}

/** Whether the server may have accepted although no answer came. */
export function isUnanswered(error: ApiError): boolean {
  return (
    error.code === 'network' || error.status === 502 || error.status === 504 || error.code === 'idempotency_in_progress'
  );
}

function makeForm(tool: Tool, draft: Draft, takes: readonly string[] | undefined): FormData {
  const form = new FormData();
  const print = printForm(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = draft[name];
    if (isGuide(field) && takes?.includes(name) === false) continue;
    const text = field.kind === 'text' ? value : print[name];
    if (isPicture(value)) form.append(name, value.mediaId ?? value.file);
    else if (typeof text === 'string') form.append(name, text);
  }
  return form;
}

type Sending = { signal: AbortSignal; onSent: (sent: number, total: number) => void };

function sendForm(
  api: Api,
  toolId: ToolId,
  form: FormData,
  idempotencyKey: string,
  sending: Sending,
): Promise<Generation> {
  const sent = { method: 'POST', form, idempotencyKey, ...sending };
  return api.send(`/api/v1/tools/${toolId}/generations`, generationSchema, sent);
}

function accept(tool: Tool, accepted: Generation, toastId: string, draft: Draft): void {
  speakOf(accepted.id, toastId);
  putGeneration(accepted);
  for (const name of Object.keys(tool.fields)) {
    const marks = pictureOf(draft, name)?.marks;
    if (marks !== undefined) rememberMarks(accepted.id, marks);
  }
  const picture = pictureOf(draft, mainPictureField(tool));
  // Of an earlier result there is only a preview: no upload of anybody's.
  if (picture !== undefined)
    rememberUpload(
      { file: picture.file, isSample: picture.isSample === true || picture.mediaId !== undefined },
      accepted.id,
    );
  const now = printForm(tool, draft);
  const { row, made } = readTool(accepted.tool).stage;
  const last = made[row.at(-1) ?? ''];
  const isSame = last !== undefined && hasSamePictures(tool, last, now);
  changeTool(accepted.tool, { sending: null, takingUp: 'done' });
  changeStage(accepted.tool, {
    shown: accepted.id,
    attempt: null,
    row: isSame ? [...row, accepted.id] : [accepted.id],
    made: { ...(isSame && made), [accepted.id]: now },
  });
  useMemory.setState({ unfinished: null });
}

function refuse(toolId: ToolId, refusal: Refusal, toastId: string, isPoor = false): void {
  if (isPoor) useMemory.setState({ unfinished: toolId });
  changeTool(toolId, { refusal: { ...refusal, isPoor } });
  const action = isPoor ? { action: { label: 'Credits', to: '/dashboard/credits' } } : {};
  say.wrong(refusal.sentence, { id: toastId, ...action });
}

function explain(error: ApiError, tool: Tool): Refusal {
  if (error.code === 'unexpected') return { sentence: tool.says.failed, field: null };
  return { sentence: error.message, field: error.fields[0]?.field ?? null };
}
