import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useEffect } from 'react';
import { isGone, toApiError, type Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { sayRefused } from '../ui/above/say-refused.ts';
import { isPicture, withoutPictures, type Draft, fingerprintForm, requiredFields } from './drafts.ts';
import { findChange, hasSamePictures, isMadeFrom, nextPress, restoreForm } from './form-fingerprint.ts';
import {
  changeDraft,
  changePage,
  changeStage,
  findShown,
  markSeen,
  readPage,
  readStage,
  type Refusal,
  assignToast,
  type Stage,
  useMemory,
} from './memory.ts';
import { putGeneration, readFollowed, readGeneration, refreshGeneration, useFollowed } from './followed.ts';
import { isLooking } from './subject.ts';
import { useSubmit } from './useSubmit.ts';

export type Work = ReturnType<typeof useGeneration>;

export function useGeneration(toolId: ToolId, tool: Tool, draft: Draft) {
  const api = useApi();
  const { followed, isKnown, isAsked } = useFollowed();
  const isRead = useMemory((memory) => memory.isRead);
  const made = useMemory((memory) => memory.made);
  const known = { made, followed };
  const stage = useMemory((memory) => readStage(toolId, memory));
  const page = useMemory((memory) => readPage(toolId, memory));
  const { sending, isSendingOthers, refusal, resumption } = page;
  const submit = useSubmit(toolId, tool);
  useResume(toolId, isKnown);
  const generation = useMemory((memory) => findShown(toolId, memory));
  const isChecking = sending !== null;
  const isComing = isAsked || (isKnown && resumption !== 'done');
  const from = generation === null ? undefined : made[generation.id];
  const now = fingerprintForm(tool, draft);
  const isOfSamePictures = from !== undefined && hasSamePictures(tool, from, now);
  const isFailureRead = stage.readFailureId === generation?.id;
  const isOtherForm = !isOfSamePictures && (isFailureRead || Object.values(draft).some(isPicture));
  const isOver = generation !== null && isOtherForm && isPassed(generation, from !== undefined && isFailureRead);
  const isRemembered = stage.shown !== null && generation === null && isComing;
  return {
    /** An earlier result is being loaded for the stage. */
    isRemembered,
    isAwaited: !isRead || isRemembered,
    /** The generation on the stage; none while a form is checked or sent. */
    generation: isOver || isChecking ? null : generation,
    isBusy: isChecking || (generation !== null && !isTerminal(generation.status)),
    isChecking,
    /** The form waits until its product is found. */
    isLooking: isChecking && isLooking(page),
    sending: sending?.bytes ?? null,
    isSendingOthers,
    stopSending: () => sending?.stop(),
    row: stage.row,
    press: nextPress(tool, draft, stage.row, known),
    from,
    /** True if the form's result exists or is being made. */
    isMade: followed.some((one) => one.tool === toolId && isMadeFrom(now, one.id, known)),
    isOfSamePictures,
    /** What differs here from the form of the generation on the stage; null for another picture. */
    change: isOfSamePictures ? findChange(tool, from, now) : null,
    show: (generationId: string) => show(api, toolId, tool, generationId),
    refused: refusal,
    /** The sentence of the error box: a refusal, or a failure that no input has followed yet. */
    refusal: refusal ?? (isOver || isFailureRead ? null : failureOf(generation, tool)),
    submit,
    cancel: () => (generation === null ? Promise.resolve() : cancel(api, generation.id)),
    startAnother: () => {
      changePage(toolId, { refusal: null });
      changeStage(toolId, { shown: null, row: [], left: stage.shown });
      // If the photo is the only input, keeping it would leave nothing to change.
      if (requiredFields(tool).length === 1) changeDraft(toolId, (form) => withoutPictures(toolId, form));
    },
  };
}

/**
 * True if the generation ended without a result, which says nothing about the next photo. A failure that is not about
 * the photo is shown until it was read. That of a free try stays: it leads back to the earlier result.
 */
function isPassed(generation: Generation, isRead: boolean): boolean {
  const { status, result, redoOf } = generation;
  return isTerminal(status) && result === null && redoOf === null && (isRead || isAboutPhoto(generation));
}

/** Refused, or returned by the user. */
const isAboutPhoto = ({ returned, error }: Generation) => returned || error?.code === 'provider_rejected';

/** Opens a generation; one that is not followed, like the first of a try resumed after a reload, is fetched. */
function show(api: Api, toolId: ToolId, tool: Tool, generationId: string): void {
  const { shown, row } = readStage(toolId);
  const { made } = useMemory.getState();
  const [from, to] = [made[shown ?? ''], made[generationId]];
  // If the form is still that of the shown generation, it becomes that of the next.
  if (from && to) changeDraft(toolId, (form) => restoreForm(tool, form, from, to));
  changePage(toolId, { refusal: null });
  changeStage(toolId, { shown: generationId, row: row.includes(generationId) ? row : [...row, generationId] });
  if (readFollowed().some(({ id }) => id === generationId)) return;
  void refreshGeneration(api, generationId); // Without an answer the stage stays empty.
}

async function cancel(api: Api, id: string): Promise<void> {
  try {
    putGeneration(await api.send(`/api/v1/generations/${id}/cancel`, generationSchema, { method: 'POST' }));
  } catch (cause) {
    if (toApiError(cause).code !== 'not_cancelable') return sayRefused(cause, `cancel-${id}`);
    await refreshGeneration(api, id); // Without an answer, the list of active ones is fetched again.
  }
}

function failureOf(generation: Generation | null, tool: Tool): Refusal | null {
  if (generation?.status !== 'failed') return null;
  return { sentence: generation.error?.message ?? tool.says.failed, field: null };
}

/** After a reload the newest active generation is resumed, else the one shown before. */
function useResume(toolId: ToolId, isKnown: boolean): void {
  const api = useApi();
  const isDue = useMemory((memory) => memory.isRead && readPage(toolId, memory).resumption === 'due');
  useEffect(() => {
    if (isKnown && isDue) void resume(api, toolId).finally(() => changePage(toolId, { resumption: 'done' }));
  }, [api, toolId, isKnown, isDue]);
}

async function resume(api: Api, toolId: ToolId): Promise<void> {
  const kept = readStage(toolId);
  const running = readFollowed().filter(({ tool, status }) => tool === toolId && !isTerminal(status));
  const runningId = (running.find(({ id }) => id === kept.shown) ?? running[0])?.id;
  changePage(toolId, { resumption: 'asked' });
  if (runningId !== undefined) {
    assignToast(runningId, runningId);
    changeStage(toolId, { shown: runningId });
    if (!kept.row.includes(runningId)) return changeStage(toolId, { row: [runningId], readFailureId: null });
  }
  if (kept.left) void readGeneration(api, kept.left).then(takeBack, () => undefined); // It may be deleted.
  const orFault = (cause: unknown) => (isGone(cause) ? null : undefined);
  const read = await Promise.all(kept.row.map((id) => readGeneration(api, id).catch(orFault)));
  const there = read.filter((one): one is Generation => !!one && staysOnStage(one, kept));
  there.forEach(takeBack);
  // If it could not be read, it may still exist.
  if (read.includes(undefined)) return;
  const { shown } = readStage(toolId);
  if (readPage(toolId).sending !== null || shown !== (runningId ?? kept.shown)) return;
  const row = there.map(({ id }) => id);
  changeStage(toolId, { shown: row.includes(shown ?? '') ? shown : (row.at(-1) ?? null), row });
}

/** Marks a generation of an earlier page as made, so that it is neither sold again nor announced. */
function takeBack(generation: Generation): void {
  if (isTerminal(generation.status)) markSeen(generation.id);
  putGeneration(generation);
}

/** A refused or returned one stays: the next step and the marks belong to its photo. */
function staysOnStage(generation: Generation, { shown }: Stage): boolean {
  const { id, status, result } = generation;
  return result !== null || !isTerminal(status) || (id === shown && isAboutPhoto(generation));
}
