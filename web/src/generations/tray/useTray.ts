import { isTerminal, type Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { isOnStage, markSeen, readTool, useMemory } from '../memory.ts';
import { unfinished } from '../running.ts';
import { useFollowed } from '../useFollowed.ts';

/**
 * What the tray lists: what runs, and what ended while this page was open without having been looked at in it. History
 * shows all of it by itself.
 */
export function useTray(toolInView: ToolId | null, isHistoryInView = false) {
  const { followed } = useFollowed();
  const seen = useMemory((memory) => memory.seen);
  const stage = useMemory((memory) => (toolInView === null ? null : readTool(toolInView, memory).stage));
  const rows = followed.filter((one) => !isTerminal(one.status) || isNews(one, seen));
  return {
    rows,
    running: unfinished(followed),
    isVisible: !isHistoryInView && !rows.every(({ id }) => stage !== null && isOnStage(stage, id)),
    resultInView: followed.find(({ id, result }) => id === stage?.shown && result !== null)?.id ?? null,
    dismiss: () => markSeen(...rows.map(({ id }) => id)),
  };
}

function isNews({ id, status }: Generation, seen: ReadonlySet<string>): boolean {
  return !seen.has(id) && status !== 'canceled';
}
