import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useEffect } from 'react';
import { toApiError, type Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { sayRefused } from '../ui/above/say-refused.ts';
import { hasPictures, type Draft } from './drafts.ts';
import { findChange, hasSamePictures, printForm } from './form-print.ts';
import {
  changeStage,
  changeTool,
  markSeen,
  readTool,
  type Refusal,
  speakOf,
  type Stage,
  stepOf,
  useMemory,
} from './memory.ts';
import { putGeneration, readFollowed, readGeneration, useFollowed } from './useFollowed.ts';
import { useSubmit } from './useSubmit.ts';
import { nextPress } from './versions.ts';

export type Work = ReturnType<typeof useGeneration>;

export function useGeneration(toolId: ToolId, tool: Tool, draft: Draft, startAfresh: () => void) {
  const api = useApi();
  const { followed, isKnown, isAsked } = useFollowed();
  const isRead = useMemory((all) => all.isRead);
  const memory = useMemory((all) => readTool(toolId, all));
  const submit = useSubmit(toolId, tool);
  useTakingUp(toolId);
  const { stage, sending, refusal } = memory;
  const generation = followed.find(({ id }) => id === stage.shown) ?? null;
  const step = stepOf(memory, generation);
  const isChecking = step === 'checking' || step === 'sending';
  const isComing = isAsked || (isKnown && memory.takingUp !== 'done');
  const isBusy = isChecking || step === 'running';
  const { isOver, ...form } = compareForm(tool, generation, stage, draft);
  const isRemembered = stage.shown !== null && generation === null && isComing;
  return {
    step,
    /** A result of before is on its way to the stage. */
    isRemembered,
    isAwaited: !isRead || isRemembered,
    generation: isOver ? null : generation,
    isBusy,
    isChecking,
    sending: sending?.bytes ?? null,
    isSendingOthers: memory.isSendingOthers,
    stopSending: () => sending?.stop(),
    row: stage.row,
    press: nextPress(tool, draft, { stage, followed }),
    ...form,
    show: (generationId: string) => show(api, toolId, generationId),
    refused: refusal,
    /** The sentence for the one error box: a refusal, or a failure that was not yet followed by an input. */
    refusal: refusal ?? (isOver || stage.readFailureId === generation?.id ? null : failureOf(generation, tool)),
    submit,
    cancel: () => (generation === null ? Promise.resolve() : cancel(api, generation.id)),
    startAnother: () => {
      changeTool(toolId, { refusal: null });
      changeStage(toolId, { shown: null, row: [], made: {} });
      startAfresh();
    },
    clearRefusal: () => {
      changeTool(toolId, { refusal: null });
      changeStage(toolId, { readFailureId: isBusy ? null : (generation?.id ?? null) });
    },
  };
}

function compareForm(tool: Tool, generation: Generation | null, { made, readFailureId }: Stage, draft: Draft) {
  const from = generation === null ? undefined : made[generation.id];
  const now = printForm(tool, draft);
  const isOfSamePictures = from !== undefined && hasSamePictures(tool, from, now);
  return {
    /** What is different here from what the one on the stage was made from; null where it is another picture. */
    change: from === undefined ? null : findChange(tool, from, now),
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
  const { id, status, result, redoOf } = generation;
  if (!isTerminal(status) || result !== null || redoOf !== null) return false;
  if (isSame === null) return isAboutPhoto(generation);
  return !isSame && (isAboutPhoto(generation) || readFailureId === id);
}

/** Refused, or returned by the person. */
const isAboutPhoto = ({ returned, error }: Generation) => returned || error?.code === 'provider_rejected';

/** Leads to a generation; one that is not followed, like the first of a try that a reload took up, is read. */
function show(api: Api, toolId: ToolId, generationId: string): void {
  const { row } = readTool(toolId).stage;
  changeTool(toolId, { refusal: null });
  changeStage(toolId, { shown: generationId, row: row.includes(generationId) ? row : [...row, generationId] });
  if (readFollowed().some(({ id }) => id === generationId)) return;
  readGeneration(api, generationId).then(putGeneration, () => undefined); // The stage stays fresh.
}

async function cancel(api: Api, id: string): Promise<void> {
  try {
    putGeneration(await api.send(`/api/v1/generations/${id}/cancel`, generationSchema, { method: 'POST' }));
  } catch (cause) {
    if (toApiError(cause).code !== 'not_cancelable') return sayRefused(cause, `cancel-${id}`);
    putGeneration(await readGeneration(api, id));
  }
}

function failureOf(generation: Generation | null, tool: Tool): Refusal | null {
  if (generation?.status !== 'failed') return null;
  return { sentence: generation.error?.message ?? tool.says.failed, field: null };
}

/** After a reload the newest generation that still runs is taken up again, else what stood here before. */
function useTakingUp(toolId: ToolId): void {
  const api = useApi();
  const { isKnown } = useFollowed();
  const isDue = useMemory((memory) => memory.isRead && readTool(toolId, memory).takingUp === 'due');
  useEffect(() => {
    if (isKnown && isDue) void takeUp(api, toolId).finally(() => changeTool(toolId, { takingUp: 'done' }));
  }, [api, toolId, isKnown, isDue]);
}

async function takeUp(api: Api, toolId: ToolId): Promise<void> {
  const kept = readTool(toolId).stage;
  const running = readFollowed().filter(({ tool, status }) => tool === toolId && !isTerminal(status));
  const runningId = (running.find(({ id }) => id === kept.shown) ?? running[0])?.id;
  changeTool(toolId, { takingUp: 'asked' });
  if (runningId !== undefined) {
    speakOf(runningId, runningId);
    changeStage(toolId, { shown: runningId });
    if (!kept.row.includes(runningId)) return changeStage(toolId, { row: [runningId], made: {}, readFailureId: null });
  }
  const ids = [...new Set([...kept.row, ...(kept.shown === null ? [] : [kept.shown])])];
  const orFault = (cause: unknown) => (toApiError(cause).status === 404 ? null : undefined);
  const read = await Promise.all(ids.map((id) => readGeneration(api, id).catch(orFault)));
  const there = read.filter((one): one is Generation => !!one && standsStill(one, kept));
  markSeen(...there.filter(({ status }) => isTerminal(status)).map(({ id }) => id));
  for (const one of there) putGeneration(one);
  // What could not be read may stand here still.
  if (read.includes(undefined)) return;
  const { sending, stage } = readTool(toolId);
  if (sending !== null || stage.shown !== (runningId ?? kept.shown)) return;
  const row = there.map(({ id }) => id);
  const shown = row.includes(stage.shown ?? '') ? stage.shown : (row.at(-1) ?? null);
  changeStage(toolId, { shown, row });
}

/** What was refused or returned stands there still: what to do about it, and what was painted, belongs to its photo. */
function standsStill(generation: Generation, { shown }: Stage): boolean {
  const { id, status, result } = generation;
  return result !== null || !isTerminal(status) || (id === shown && isAboutPhoto(generation));
}
