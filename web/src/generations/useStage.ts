import { useCallback, useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import type { Followed } from './running.ts';
import { forgetStage, keepStage, readKeptStage, type KeptStage } from './stage-kept.ts';
import { changeStage, markSeen, readStage, speakOf, useStages, type Stage } from './stage-store.ts';
import { FOLLOWED_KEY, putGeneration, readGeneration, useFollowed } from './useFollowed.ts';

export function useStage(toolId: ToolId) {
  const queryClient = useQueryClient();
  const { followed, isKnown } = useFollowed(queryClient);
  const stage = useStages((state) => readStage(toolId, state));
  const change = useCallback((part: Partial<Stage>) => changeStage(toolId, part), [toolId]);

  const isUndecided = isKnown && stage.generationId === undefined;
  const runningId = followed.find(({ tool, status }) => tool === toolId && !isTerminal(status))?.id ?? null;
  useTakingUp(toolId, isUndecided ? { runningId } : null);
  const { generationId, row, made, readFailureId } = stage;
  useEffect(() => {
    if (generationId === null) forgetStage(toolId);
    else if (generationId !== undefined) keepStage(toolId, { generationId, row: [...row], made, readFailureId });
  }, [toolId, generationId, row, made, readFailureId]);

  /** What is true at this moment: two quick presses both come before React has drawn what the first one did. */
  const readNow = () => describe(readStage(toolId), queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? []);
  return { ...describe(stage, followed), change, readNow };
}

/** After a reload the newest generation that still runs is taken up again, else what stood here before. */
function useTakingUp(toolId: ToolId, undecided: { runningId: string | null } | null): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const isUndecided = undecided !== null;
  const runningId = undecided?.runningId ?? null;
  useEffect(() => {
    if (!isUndecided) return;
    const kept = readKeptStage(toolId);
    changeStage(toolId, { generationId: runningId, row: runningId === null ? [] : [runningId] });
    if (runningId !== null) speakOf(runningId, runningId);
    if (kept === null || (runningId !== null && !kept.row.includes(runningId))) return;
    const ids = [...new Set([...kept.row, kept.generationId])];
    void Promise.all(ids.map((id) => readGeneration(api, id).catch(() => null))).then((read) => {
      const there = read
        .filter((one) => one !== null)
        .filter((one) => one.result !== null || !isTerminal(one.status) || isRefusedOn(kept, one));
      // Nobody needs to be told of what had ended before.
      markSeen(...there.filter(({ status }) => isTerminal(status)).map(({ id }) => id));
      for (const one of there) putGeneration(queryClient, one);
      const row = there.map(({ id }) => id);
      const shown = runningId ?? (row.includes(kept.generationId) ? kept.generationId : row.at(-1));
      const now = readStage(toolId);
      if (shown !== undefined && now.generationId === runningId && now.attempt === null && !now.isChecking)
        changeStage(toolId, { generationId: shown, row, made: kept.made, readFailureId: kept.readFailureId });
    });
  }, [isUndecided, runningId, toolId, api, queryClient]);
}

/** A photo that was refused stands there still: what to do about it, and what was painted on it, belongs to it. */
const isRefusedOn = (kept: KeptStage, { id, error }: Generation): boolean =>
  id === kept.generationId && error?.code === 'provider_rejected';

function describe(stage: Stage, followed: Followed) {
  const generation: Generation | null = followed.find(({ id }) => id === stage.generationId) ?? null;
  const isBusy = stage.isChecking || (generation !== null && !isTerminal(generation.status));
  return { stage, generation, isBusy };
}
