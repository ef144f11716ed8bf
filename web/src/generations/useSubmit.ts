import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { generationSchema, type Generation } from '@plinth/contract/generations';
import { mainPictureField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { nameTool, type ToolId } from '@plinth/contract/tools';
import { useCreditHolds } from '../credits/useCredits.ts';
import { type ApiError, isOutcomeUnknown, isSessionOver, toApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/above/toast.tsx';
import { validateForm, isPicture, pictureOf, priceOf, type Draft, fingerprintForm } from './drafts.ts';
import { FIRST, hasSamePictures, nextPress, VERSION } from './form-fingerprint.ts';
import {
  changePage,
  changeStage,
  isUnderWay,
  readDraft,
  readPage,
  readStage,
  rememberForm,
  rememberUpload,
  assignToast,
  useMemory,
  type Attempt,
  type Refusal,
} from './memory.ts';
import { putGeneration } from './followed.ts';
import { awaitSubjects, focusQuestion } from './subject.ts';

/** A form being sent, and the key of the press. */
type Press = { tool: Tool; toolId: ToolId; draft: Draft; attempt: Attempt };
type Sending = { signal: AbortSignal; onSent: (sent: number, total: number) => void };

/**
 * Sends a tool's form once its product is known: reserves the credits in the shown balance, sends it and puts it on the
 * stage; or leads to the question about the product, or shows the refusal beside the form and announces it. Further
 * versions follow once the first is accepted.
 */
export function useSubmit(toolId: ToolId, tool: Tool) {
  const sendAll = useSendAll();
  // The form asks now.
  useEffect(() => say.noMore(`unsent-${toolId}`), [toolId]);
  return async (): Promise<void> => {
    // Two quick presses may both arrive before the first render.
    if (isUnderWay(toolId) || readPage(toolId).isSendingOthers) return;
    const wrong = validateForm(tool, readDraft(toolId));
    if (wrong !== null) return refuse(toolId, wrong, `refused-${toolId}`);
    const stopping = new AbortController();
    const showProgress = (bytes: { sent: number; total: number } | null) =>
      changePage(toolId, { sending: { bytes, stop: () => stopping.abort() } });
    changePage(toolId, { refusal: null });
    showProgress(null);
    const isAsking = await awaitSubjects(toolId, stopping.signal);
    const draft = readDraft(toolId);
    // A photo that turned out to be unreadable was removed, which is said already.
    if (stopping.signal.aborted || isAsking || validateForm(tool, draft) !== null) {
      flushSync(() => changePage(toolId, { sending: null }));
      if (isAsking && !focusQuestion(toolId)) sayUnsent(toolId, tool);
      return;
    }
    const { attempt: last, row } = readStage(toolId);
    const press = { tool, toolId, draft, attempt: nextAttempt(last, tool, draft) };
    const [first = FIRST, ...others] = nextPress(tool, draft, row, useMemory.getState()).variants;
    changeStage(toolId, { attempt: press.attempt });
    const refused = await sendAll(press, [first], {
      signal: stopping.signal,
      onSent: (sent, total) => showProgress(sent < total ? { sent, total } : null),
    });
    changePage(toolId, { sending: null, isSendingOthers: refused.length === 0 && others.length > 0 });
    if (refused.length > 0) {
      // A stopped request keeps its key as well: if it was accepted after all, nothing is charged twice.
      if (!stopping.signal.aborted) finishPress(press, refused, (error) => explain(error, tool));
      return;
    }
    const left = await sendAll(press, others);
    changePage(toolId, { isSendingOthers: false });
    finishPress(press, left, (error, isOpen) => ({
      sentence: isOpen ? UNANSWERED : `${NOT_STARTED} ${explain(error, tool).sentence}`,
      field: null,
    }));
  };
}

/** Its screen was left during the press: the question waits there. */
function sayUnsent(toolId: ToolId, tool: Tool): void {
  const action = { label: 'Answer', to: `/dashboard/${toolId}` };
  const sentence = `Your photo for ${nameTool(tool)} was not sent yet. Say first what your product is.`;
  say.wrong(sentence, { id: `unsent-${toolId}`, action });
}

const NOT_STARTED = 'The other versions were not started and cost nothing.';
const UNANSWERED = 'There was no answer for the other versions. Press again to send them: nothing is paid twice.';

/** Sends all versions at once, each with its own key, and reports what was refused. */
function useSendAll() {
  const api = useApi();
  const credits = useCreditHolds();
  const send = async ({ tool, toolId, draft, attempt }: Press, version: string, sending?: Sending) => {
    credits.hold(priceOf(tool, draft));
    try {
      return await api.send(`/api/v1/tools/${toolId}/generations`, generationSchema, {
        method: 'POST',
        form: makeForm(tool, draft, version),
        idempotencyKey: keyOf(attempt, version),
        ...sending,
      });
    } finally {
      void credits.settle();
    }
  };
  return async (press: Press, versions: readonly string[], first?: Sending): Promise<ApiError[]> => {
    const sent = await Promise.allSettled(
      versions.map(async (version) => accept(press, await send(press, version, first), version, first !== undefined)),
    );
    return sent.flatMap((one) => (one.status === 'rejected' ? [toApiError(one.reason)] : []));
  };
}

/** Shows why a press was refused. Without a response the next press of this form reuses its keys. */
function finishPress(press: Press, errors: ApiError[], say: (error: ApiError, isOpen: boolean) => Refusal): void {
  const { toolId, attempt } = press;
  const isOpen = errors.some(isOutcomeUnknown);
  if (!isOpen) changeStage(toolId, { attempt: null });
  const [error] = errors;
  if (error === undefined || errors.some(isSessionOver)) return;
  const isPoor = errors.some(({ code }) => code === 'insufficient_credits');
  refuse(toolId, say(error, isOpen), attempt.key, isPoor);
}

/** Sending the same form again after no response reuses its key, even after a reload, so nothing is charged twice. */
export function nextAttempt(last: Attempt | null, tool: Tool, draft: Draft): Attempt {
  const dates = Object.values(draft)
    .filter(isPicture)
    .map(({ file }) => file.lastModified);
  const form = JSON.stringify([fingerprintForm(tool, draft), dates]);
  return last?.form === form ? last : { key: crypto.randomUUID(), form };
}

const keyOf = ({ key, renewed }: Attempt, version: string) =>
  renewed?.[version] ?? (version === FIRST ? key : `${key}-${version}`);

function makeForm(tool: Tool, draft: Draft, version: string): FormData {
  const form = new FormData();
  const fingerprint = fingerprintForm(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = draft[name];
    if (field.kind === 'variant' && version !== FIRST) form.append(name, version);
    const text = field.kind === 'text' ? value : fingerprint[name];
    if (isPicture(value)) form.append(name, value.mediaId ?? value.file);
    else if (typeof text === 'string') form.append(name, text);
  }
  return form;
}

/** The first version of a press goes on the stage, next to earlier results of its pictures; the others join it. */
function accept(press: Press, accepted: Generation, version: string, isFirst: boolean): void {
  const { tool, toolId, draft, attempt } = press;
  const { id } = accepted;
  const { row, attempt: kept } = readStage(toolId);
  const fingerprint = { ...fingerprintForm(tool, draft), [VERSION]: version };
  const last = useMemory.getState().made[row.at(-1) ?? ''];
  const isSame = last !== undefined && hasSamePictures(tool, last, fingerprint);
  assignToast(id, attempt.key);
  putGeneration(accepted);
  rememberForm(id, fingerprint);
  const picture = pictureOf(draft, mainPictureField(tool));
  // An earlier result has only a preview here, which is not an upload.
  if (picture !== undefined && picture.mediaId === undefined && picture.isSample !== true) rememberUpload(picture.file);
  changeStage(toolId, {
    ...(isFirst && { shown: id }),
    // If the user has started something else since, the tray shows the others.
    ...((isFirst || isSame) && { row: isSame ? [...row.filter((one) => one !== id), id] : [id] }),
    attempt: kept && { ...kept, renewed: { ...kept.renewed, [version]: crypto.randomUUID() } },
  });
  if (isFirst) changePage(toolId, { resumption: 'done' });
  useMemory.setState({ unfinished: null });
}

function refuse(toolId: ToolId, refusal: Refusal, toastId: string, isPoor = false): void {
  if (isPoor) useMemory.setState({ unfinished: toolId });
  changePage(toolId, { refusal: { ...refusal, isPoor } });
  const action = isPoor ? { action: { label: 'Get credits', to: '/dashboard/credits' } } : {};
  say.wrong(refusal.sentence, { id: toastId, ...action });
}

function explain(error: ApiError, tool: Tool): Refusal {
  if (error.code === 'unexpected') return { sentence: tool.says.failed, field: null };
  return { sentence: error.message, field: error.fields[0]?.field ?? null };
}
