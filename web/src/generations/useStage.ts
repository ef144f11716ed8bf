import { useCallback, useEffect, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { useCached } from '../platform/useCached.ts';
import type { Followed } from './running.ts';
import type { Attempt } from './submit-generation.ts';
import { FOLLOWED_KEY, useFollowed } from './useFollowed.ts';

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
};

export const FRESH: Stage = {
  generationId: undefined,
  isChecking: false,
  refusal: null,
  readFailureId: null,
  attempt: null,
};
export const stageKey = (toolId: ToolId) => ['stage', toolId];
export const OWN_KEY = ['stage', 'own'];
/** A generation that speaks in this page, and the toast it speaks with. */
export type Own = { id: string; toastId: string };
export const NO_OWN: readonly Own[] = [];

export function useStage(toolId: ToolId) {
  const queryClient = useQueryClient();
  const { followed, isKnown } = useFollowed(queryClient);
  const [stage, setStage] = useCached<Stage>(stageKey(toolId), FRESH);
  const change = useCallback((part: Partial<Stage>) => setStage((before) => ({ ...before, ...part })), [setStage]);

  // After a reload the newest generation that still runs is taken up again.
  const isUndecided = isKnown && stage.generationId === undefined;
  const runningId = followed.find(({ tool, status }) => tool === toolId && !isTerminal(status))?.id ?? null;
  const [, setOwn] = useCached<readonly Own[]>(OWN_KEY, NO_OWN);
  useEffect(() => {
    if (!isUndecided) return;
    change({ generationId: runningId });
    if (runningId !== null) setOwn((own) => [...own, { id: runningId, toastId: runningId }]);
  }, [isUndecided, runningId, change, setOwn]);

  /** What is true at this moment: two quick presses both come before React has drawn what the first one did. */
  const readNow = () => {
    const current = queryClient.getQueryData<Stage>(stageKey(toolId)) ?? FRESH;
    return describe(current, queryClient.getQueryData<Followed>(FOLLOWED_KEY) ?? []);
  };
  return { ...describe(stage, followed), change, readNow };
}

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
