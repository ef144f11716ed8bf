import { useEffect, useEffectEvent } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import type { Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import type { Draft } from './drafts.ts';
import { changeStage, changeTool, markSeen, readTool, speakOf, useMemory, type Stage } from './memory.ts';
import { putGeneration, readFollowed, readGeneration, useFollowed } from './useFollowed.ts';
import { useServedTool } from './useTools.ts';

/**
 * After a reload the newest generation that still runs is taken up again, else what stood here before. A press that had
 * more versions to send goes on.
 */
export function useTakingUp(toolId: ToolId, sendRest: (draft: Draft) => Promise<void>): void {
  const api = useApi();
  const { entry } = useServedTool(toolId);
  const hasRest = useMemory((memory) => {
    const { takingUp, sending, stage } = readTool(toolId, memory);
    return takingUp === 'done' && sending === null && (stage.attempt?.rest.length ?? 0) > 0;
  });
  const goOn = useEffectEvent(() => void sendRest(readTool(toolId).draft));
  // What a form sends depends on what serves its tool.
  const isReady = hasRest && entry !== undefined;
  useEffect(() => {
    if (isReady) goOn();
  }, [isReady]);
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
  const read = await Promise.all(ids.map((id) => readGeneration(api, id).catch(() => null)));
  const there = read.filter((one) => one !== null).filter((one) => standsStill(one, kept));
  markSeen(...there.filter(({ status }) => isTerminal(status)).map(({ id }) => id));
  for (const one of there) putGeneration(one);
  const { sending, stage } = readTool(toolId);
  if (sending !== null || stage.shown !== (runningId ?? kept.shown)) return;
  const row = there.map(({ id }) => id);
  const shown = row.includes(stage.shown ?? '') ? stage.shown : (row.at(-1) ?? null);
  changeStage(toolId, { shown, row });
}

/** A photo that was refused stands there still: what to do about it, and what was painted on it, belongs to it. */
function standsStill({ id, status, result, error }: Generation, { shown }: Stage): boolean {
  return result !== null || !isTerminal(status) || (id === shown && error?.code === 'provider_rejected');
}
