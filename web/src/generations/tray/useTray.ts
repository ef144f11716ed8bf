import { isTerminal, type Generation } from '@plinth/contract/generations';
import { isToolId, type ToolId, toolIds } from '@plinth/contract/tools';
import { isOnStage, markSeen, readStage, useMemory } from '../memory.ts';
import { unfinished, useFollowed } from '../followed.ts';

/**
 * The tray's list: uploads from another screen, active generations, and those that ended while this page was open and
 * were not viewed in it. History itself shows accepted ones.
 */
export function useTray(toolInView: ToolId | null, isHistoryInView = false) {
  const { followed } = useFollowed();
  const seen = useMemory((memory) => memory.seen);
  const stage = useMemory((memory) => (toolInView === null ? null : readStage(toolInView, memory)));
  const isNews = ({ id, status }: Generation) => !seen.has(id) && status !== 'canceled';
  const rows = followed.filter((one) => !isTerminal(one.status) || isNews(one));
  const sent = useMemory(({ pages }) =>
    toolIds.filter((id) => (pages[id]?.sending || pages[id]?.isSendingOthers) && id !== toolInView).join(' '),
  );
  const sending = sent.split(' ').filter(isToolId);
  const isElsewhere = !isHistoryInView && !rows.every(({ id }) => stage !== null && isOnStage(stage, id));
  return {
    sending,
    rows,
    runningCount: sending.length + unfinished(followed).length,
    isVisible: sending.length > 0 || isElsewhere,
    resultInView: followed.find(({ id, result }) => id === stage?.shown && result !== null)?.id ?? null,
    dismiss: () => markSeen(...rows.map(({ id }) => id)),
  };
}
