import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import { isGuide, mainPictureField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useCreditHolds } from '../credits/useCredits.ts';
import { type ApiError, isSessionOver, toApiError } from '../platform/api.ts';
import { isUnanswered } from '../platform/unanswered.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/above/toast.tsx';
import { findWrong, isPicture, pictureOf, priceOf, type Draft } from './drafts.ts';
import { hasSamePictures, printForm, VERSION, type FormPrint } from './form-print.ts';
import {
  changePage,
  changeStage,
  readPage,
  readStage,
  rememberForm,
  rememberUpload,
  speakOf,
  useMemory,
  type Attempt,
  type Refusal,
  type Stage,
} from './memory.ts';
import { putGeneration, readFollowed } from './useFollowed.ts';
import { useServedTool } from './useTools.ts';
import { FIRST, nextPress } from './versions.ts';

/**
 * Sends a tool's form: held in the balance, sent, and on the stage; or refused, beside the form and aloud. The other
 * versions of a press follow once its first was accepted.
 */
export function useSubmit(toolId: ToolId, tool: Tool) {
  const send = useSend(toolId, tool);
  return async (draft: Draft): Promise<void> => {
    // Two quick presses both come before the first is drawn.
    if (isBusy(toolId)) return;
    const wrong = findWrong(tool, draft);
    if (wrong !== null) return refuse(toolId, wrong, `refused-${toolId}`);
    const stage = readStage(toolId);
    const attempt = nextAttempt(stage.attempt, tool, draft);
    const [first = FIRST, ...others] = nextPress(tool, draft, stage.row, useMemory.getState()).variants;
    const stopping = new AbortController();
    const tell = (bytes: { sent: number; total: number } | null) =>
      changePage(toolId, { sending: { bytes, stop: () => stopping.abort() } });
    changePage(toolId, { refusal: null });
    tell(null);
    try {
      changeStage(toolId, { attempt });
      const accepted = await send(draft, attempt, first, {
        signal: stopping.signal,
        onSent: (sent, total) => tell(sent < total ? { sent, total } : null),
      });
      accept(tool, accepted, { attempt, draft, version: first, isFirst: true });
    } catch (cause) {
      changePage(toolId, { sending: null });
      // What its person stopped keeps its key, too: should it have been taken all the same, nothing is paid twice.
      if (stopping.signal.aborted) return;
      const error = toApiError(cause);
      if (!isUnanswered(error)) changeStage(toolId, { attempt: null });
      if (isSessionOver(error)) return;
      return refuse(toolId, explain(error, tool), attempt.key, error.code === 'insufficient_credits');
    }
    changePage(toolId, { isSendingOthers: others.length > 0 });
    await sendOthers(tool, { toolId, attempt, draft, versions: others, send });
    changePage(toolId, { isSendingOthers: false });
  };
}

const NOT_STARTED = 'The other versions were not started and cost nothing.';
const UNANSWERED = 'There was no answer for the other versions. Press again to send them: nothing is paid twice.';

type Others = { toolId: ToolId; attempt: Attempt; draft: Draft; versions: readonly string[]; send: Send };

/** All at once, each by a key of its own, which the next press of this form uses again where there was no answer. */
async function sendOthers(tool: Tool, { toolId, attempt, draft, versions, send }: Others): Promise<void> {
  // Not when somebody signed out meanwhile: what stands here then is another person's.
  const isOwn = () => readStage(toolId).attempt?.key === attempt.key;
  const sent = await Promise.allSettled(
    versions.map(async (version) => {
      const accepted = await send(draft, attempt, version);
      if (isOwn()) accept(tool, accepted, { attempt, draft, version, isFirst: false });
    }),
  );
  const errors = sent.flatMap((one) => (one.status === 'rejected' ? [toApiError(one.reason)] : []));
  if (!isOwn() || errors.some(isSessionOver)) return;
  const isOpen = errors.some(isUnanswered);
  if (!isOpen) changeStage(toolId, { attempt: null });
  const [error] = errors;
  if (error === undefined) return;
  const sentence = isOpen ? UNANSWERED : `${NOT_STARTED} ${explain(error, tool).sentence}`;
  const isPoor = errors.some(({ code }) => code === 'insufficient_credits');
  refuse(toolId, { sentence, field: null }, attempt.key, isPoor);
}

type Sending = { signal: AbortSignal; onSent: (sent: number, total: number) => void };
type Send = (draft: Draft, attempt: Attempt, version: string, sending?: Sending) => Promise<Generation>;

function useSend(toolId: ToolId, tool: Tool): Send {
  const api = useApi();
  const credits = useCreditHolds();
  const { entry } = useServedTool(toolId);
  const takes = entry?.fields.map(({ name }) => name);
  return async (draft, attempt, version, sending) => {
    const idempotencyKey = keyOf(attempt, version);
    const form = makeForm(tool, draft, takes, version);
    credits.hold(priceOf(tool, draft));
    try {
      const sent = { method: 'POST', form, idempotencyKey, ...sending };
      return await api.send(`/api/v1/tools/${toolId}/generations`, generationSchema, sent);
    } finally {
      void credits.settle();
    }
  };
}

function isBusy(toolId: ToolId): boolean {
  const { sending, isSendingOthers } = readPage(toolId);
  const { shown } = readStage(toolId);
  return (
    sending !== null || isSendingOthers || readFollowed().some(({ id, status }) => id === shown && !isTerminal(status))
  );
}

/** The same form sent again without an answer keeps its key, also after a reload, so that nothing is paid twice. */
export function nextAttempt(last: Attempt | null, tool: Tool, draft: Draft): Attempt {
  const dates = Object.values(draft)
    .filter(isPicture)
    .map(({ file }) => file.lastModified);
  const form = JSON.stringify([printForm(tool, draft), dates]);
  return last?.form === form ? last : { key: crypto.randomUUID(), form };
}

const keyOf = ({ key, renewed }: Attempt, version: string) =>
  renewed?.[version] ?? (version === FIRST ? key : `${key}-${version}`);

function makeForm(tool: Tool, draft: Draft, takes: readonly string[] | undefined, version: string): FormData {
  const form = new FormData();
  const print = printForm(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = draft[name];
    if (isGuide(field) && takes?.includes(name) === false) continue;
    if (field.kind === 'variant' && version !== FIRST) form.append(name, version);
    const text = field.kind === 'text' ? value : print[name];
    if (isPicture(value)) form.append(name, value.mediaId ?? value.file);
    else if (typeof text === 'string') form.append(name, text);
  }
  return form;
}

type Sent = { attempt: Attempt; draft: Draft; version: string; isFirst: boolean };

function accept(tool: Tool, accepted: Generation, { attempt, draft, version, isFirst }: Sent): void {
  speakOf(accepted.id, attempt.key);
  putGeneration(accepted);
  const picture = pictureOf(draft, mainPictureField(tool));
  // Of an earlier result there is only a preview: no upload of anybody's.
  if (picture !== undefined && picture.mediaId === undefined && picture.isSample !== true) rememberUpload(picture.file);
  const print = { ...printForm(tool, draft), [VERSION]: version };
  rememberForm(accepted.id, print);
  const { attempt: kept } = readStage(accepted.tool);
  changeStage(accepted.tool, {
    ...stand(tool, accepted, print, isFirst),
    attempt: kept && { ...kept, renewed: { ...kept.renewed, [version]: crypto.randomUUID() } },
  });
  if (isFirst) changePage(accepted.tool, { sending: null, takingUp: 'done' });
  useMemory.setState({ unfinished: null });
}

/** The first of a press comes on the stage, beside what was made of its pictures before; the others stand by it. */
function stand(tool: Tool, { id, tool: toolId }: Generation, print: FormPrint, isFirst: boolean): Partial<Stage> {
  const { row } = readStage(toolId);
  const last = useMemory.getState().made[row.at(-1) ?? ''];
  const isSame = last !== undefined && hasSamePictures(tool, last, print);
  // Something else was begun since: what it finds is in the tray.
  if (!isFirst && !isSame) return {};
  return {
    ...(isFirst && { shown: id }),
    row: isSame ? [...row.filter((one) => one !== id), id] : [id],
  };
}

function refuse(toolId: ToolId, refusal: Refusal, toastId: string, isPoor = false): void {
  if (isPoor) useMemory.setState({ unfinished: toolId });
  changePage(toolId, { refusal: { ...refusal, isPoor } });
  const action = isPoor ? { action: { label: 'Credits', to: '/dashboard/credits' } } : {};
  say.wrong(refusal.sentence, { id: toastId, ...action });
}

function explain(error: ApiError, tool: Tool): Refusal {
  if (error.code === 'unexpected') return { sentence: tool.says.failed, field: null };
  return { sentence: error.message, field: error.fields[0]?.field ?? null };
}
