import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { useCached } from '../platform/useCached.ts';
import { unfinished, type Followed } from './running.ts';
import { useFollowed } from './useFollowed.ts';
import { FRESH, NONE_SEEN, SEEN_KEY, stageKey, type Stage } from './useStage.ts';

/** What the tray lists: what runs, and what ended while this page was open without having been looked at in it. */
export function useTray(toolInView: ToolId | null) {
  const queryClient = useQueryClient();
  const { followed } = useFollowed(queryClient);
  const [seen, setSeen] = useCached<readonly string[]>(SEEN_KEY, NONE_SEEN);
  const [stage] = useCached<Stage>(toolInView === null ? ['stage', 'none'] : stageKey(toolInView), FRESH);
  const rows = followed.filter((one) => !isTerminal(one.status) || isNews(one, seen));
  const isAllInView = rows.every(({ id }) => id === stage.generationId);
  const running = unfinished(followed);
  return {
    rows,
    running,
    isVisible: !isAllInView || running.length > 1,
    /** The finished generation on the stage in view: its buttons stand where the tray lies. */
    resultInView: followed.find(({ id, result }) => id === stage.generationId && result !== null)?.id ?? null,
    /** Whoever has read the list needs it no longer; the history has the results. */
    dismiss: () => setSeen((ids) => [...new Set([...ids, ...rows.map(({ id }) => id)])]),
  };
}

function isNews({ id, status }: Generation, seen: readonly string[]): boolean {
  return !seen.includes(id) && status !== 'canceled';
}

export function useMarkSeen(): (generationId: string) => void {
  const [, setSeen] = useCached<readonly string[]>(SEEN_KEY, NONE_SEEN);
  return useCallback((generationId: string) => setSeen((ids) => [...new Set([...ids, generationId])]), [setSeen]);
}

/** Puts a generation on its tool's stage. */
export function useShowGeneration(): (generation: Pick<Generation, 'id' | 'tool'>) => void {
  const queryClient = useQueryClient();
  return useCallback(
    ({ id, tool }: Pick<Generation, 'id' | 'tool'>) =>
      queryClient.setQueryData<Stage>(stageKey(tool), (stage) => ({
        ...(stage ?? FRESH),
        generationId: id,
        row: stage?.row.includes(id) === true ? stage.row : [id],
        made: stage?.row.includes(id) === true ? stage.made : null,
        refusal: null,
      })),
    [queryClient],
  );
}

/** How many generations of each tool run. */
export function countRunning(running: Followed, toolId: ToolId): number {
  return running.filter(({ tool }) => tool === toolId).length;
}
