import { useCallback, useEffect, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import { useCached } from '../platform/useCached.ts';
import type { Followed } from './running.ts';
import type { Attempt } from './submit-generation.ts';
import { forgetStage, keepStage, readStage, type KeptStage } from './stage-kept.ts';
import { FOLLOWED_KEY, putGeneration, readGeneration, useFollowed } from './useFollowed.ts';

export type Refusal = { sentence: string; field: string | null };

/** What a tool's screen is doing, apart from the generation itself. */
export type Stage = {
  /** The generation on the stage; undefined while nobody chose, null for a fresh stage. */
  generationId: string | null | undefined;
  isChecking: boolean;
  refusal: Refusal | null;
  /** The failure whose sentence went away with the next input. */
  readFailureId: string | null;
  attempt: Attempt | null;
  /** The generations made from one photo, oldest first: what can be chosen from. */
  row: readonly string[];
  /** The form that the last of them was made from, and its pictures. */
  made: { form: string; pictures: string } | null;
};

export const FRESH: Stage = {
  generationId: undefined,
  isChecking: false,
  refusal: null,
  readFailureId: null,
  attempt: null,
  row: [],
  made: null,
};
export const stageKey = (toolId: ToolId) => ['stage', toolId];
export const OWN_KEY = ['stage', 'own'];
export const SEEN_KEY = ['stage', 'seen'];
export const NONE_SEEN: readonly string[] = [];
/** A generation that speaks in this page, and the toast it speaks with. */
export type Own = { id: string; toastId: string };
export const NO_OWN: readonly Own[] = [];

export function useStage(toolId: ToolId) {
  const queryClient = useQueryClient();
  const { followed, isKnown } = useFollowed(queryClient);
  const [stage, setStage] = useCached<Stage>(stageKey(toolId), FRESH);
  const change = useCallback((part: Partial<Stage>) => setStage((before) => ({ ...before, ...part })), [setStage]);

  const isUndecided = isKnown && stage.generationId === undefined;
  const runningId = followed.find(({ tool, status }) => tool === toolId && !isTerminal(status))?.id ?? null;
  useTakingUp(toolId, isUndecided ? { runningId } : null, change);
  const { generationId, row, made } = stage;
  useEffect(() => {
    if (generationId === null) forgetStage(toolId);
    else if (generationId !== undefined) keepStage(toolId, { generationId, row: [...row], made });
  }, [toolId, generationId, row, made]);

  /** What is true at this moment: two quick presses both come before React has drawn what the first one did. */
  const readNow = () => {
    const current = queryClient.getQueryData<Stage>(stageKey(toolId)) ?? FRESH;
    return describe(current, queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? []);
  };
  return { ...describe(stage, followed), change, readNow };
}

/** After a reload the newest generation that still runs is taken up again, else what stood here before. */
function useTakingUp(
  toolId: ToolId,
  undecided: { runningId: string | null } | null,
  change: (part: Partial<Stage>) => void,
): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const [, setOwn] = useCached<readonly Own[]>(OWN_KEY, NO_OWN);
  const [, setSeen] = useCached<readonly string[]>(SEEN_KEY, NONE_SEEN);
  const isUndecided = undecided !== null;
  const runningId = undecided?.runningId ?? null;
  useEffect(() => {
    if (!isUndecided) return;
    const kept = readStage(toolId);
    change({ generationId: runningId, row: runningId === null ? [] : [runningId] });
    if (runningId !== null) setOwn((own) => [...own, { id: runningId, toastId: runningId }]);
    if (kept === null || (runningId !== null && !kept.row.includes(runningId))) return;
    const ids = [...new Set([...kept.row, kept.generationId])];
    void Promise.all(ids.map((id) => readGeneration(api, id).catch(() => null))).then((read) => {
      const there = read
        .filter((one) => one !== null)
        .filter((one) => one.result !== null || !isTerminal(one.status) || isRefusedOn(kept, one));
      // Nobody needs to be told of what had ended before.
      setSeen((seen) => [...seen, ...there.flatMap(({ id, status }) => (isTerminal(status) ? [id] : []))]);
      for (const one of there) putGeneration(queryClient, one);
      const row = there.map(({ id }) => id);
      const shown = runningId ?? (row.includes(kept.generationId) ? kept.generationId : row.at(-1));
      const now = queryClient.getQueryData<Stage>(stageKey(toolId));
      if (shown !== undefined && now?.generationId === runningId && now.attempt === null && !now.isChecking)
        change({ generationId: shown, row, made: kept.made });
    });
  }, [isUndecided, runningId, toolId, api, queryClient, change, setOwn, setSeen]);
}

/** A photo that was refused stands there still: what to do about it, and what was painted on it, belongs to it. */
const isRefusedOn = (kept: KeptStage, { id, error }: Generation): boolean =>
  id === kept.generationId && error?.code === 'provider_rejected';

function describe(stage: Stage, followed: Followed) {
  const generation: Generation | null = followed.find(({ id }) => id === stage.generationId) ?? null;
  const isBusy = stage.isChecking || (generation !== null && !isTerminal(generation.status));
  return { stage, generation, isBusy };
}

/** The toasts of the generations started, or taken up again, in this page: only these speak. */
export function useOwnGenerations(): ReadonlyMap<string, string> {
  const [own] = useCached<readonly Own[]>(OWN_KEY, NO_OWN);
  return useMemo(() => new Map(own.map(({ id, toastId }) => [id, toastId])), [own]);
}
