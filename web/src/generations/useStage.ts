import { useCallback, useEffect, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { useCached } from '../platform/useCached.ts';
import type { Attempt } from './submit-generation.ts';
import { useFollowed } from './useFollowed.ts';

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
export const NO_IDS: readonly string[] = [];

export function useStage(toolId: ToolId) {
  const { followed, isKnown } = useFollowed(useQueryClient());
  const [stage, setStage] = useCached<Stage>(stageKey(toolId), FRESH);
  const change = useCallback((part: Partial<Stage>) => setStage((before) => ({ ...before, ...part })), [setStage]);

  // After a reload the newest generation that still runs is taken up again.
  const isUndecided = isKnown && stage.generationId === undefined;
  const runningId = followed.find(({ tool, status }) => tool === toolId && !isTerminal(status))?.id ?? null;
  useEffect(() => {
    if (isUndecided) change({ generationId: runningId });
  }, [isUndecided, runningId, change]);

  const generation: Generation | null = followed.find(({ id }) => id === stage.generationId) ?? null;
  const isBusy = stage.isChecking || (generation !== null && !isTerminal(generation.status));
  return { stage, change, generation, isBusy };
}

/** The generations started in this page: only these speak. */
export function useOwnGenerations(): ReadonlySet<string> {
  const [ids] = useCached<readonly string[]>(OWN_KEY, NO_IDS);
  return useMemo(() => new Set(ids), [ids]);
}
