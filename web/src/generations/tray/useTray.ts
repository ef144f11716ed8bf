import { useEffect, useRef, useState } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { isToolId, nameTool, type ToolId, toolIds, tools } from '@plinth/contract/tools';
import { COMPACT, useMediaQuery } from '../../platform/media-query.ts';
import { say } from '../../ui/above/toast.tsx';
import { endSentence, unfinished, useFollowed } from '../followed.ts';
import { isOnStage, isUnderWay, markSeen, readStage, useMemory, type Followed } from '../memory.ts';

/**
 * The tray's list: uploads from another screen, active generations, and those that ended while this page was open and
 * were not viewed in it. History itself shows accepted ones. Beside a result and in a narrow window the rows are closed
 * until opened.
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
  const resultInView = followed.find(({ id, result }) => id === stage?.shown && result !== null)?.id ?? null;
  const [chosen, choose] = useState<{ beside: string | null; isOpen: boolean } | null>(null);
  const isCompact = useMediaQuery(COMPACT);
  const isElsewhere = !isHistoryInView && !rows.every(({ id }) => stage !== null && isOnStage(stage, id));
  return {
    sending,
    rows,
    runningCount: sending.length + unfinished(followed).length,
    isVisible: sending.length > 0 || isElsewhere,
    resultInView,
    isOpen: chosen?.beside === resultInView ? chosen.isOpen : resultInView === null && !isCompact,
    setOpen: (isOpen: boolean) => choose({ beside: resultInView, isOpen }),
    dismiss: () => markSeen(...rows.map(({ id }) => id)),
  };
}

/**
 * Announces how this page's generations ended; success replaces the toast of the press. Progress is shown by the stage,
 * History and the tray; a cancellation is shown by the stage if it is there. What is said about a tool's last result
 * goes when the stage in view works again. The rows of an open tray show the end themselves: the returned
 * sentence is for screen readers only.
 */
export function useGenerationToasts(followed: Followed, toolInView: ToolId | null, isTrayOpen: boolean) {
  const [read, readAloud] = useState<{ id: string; sentence: string } | null>(null);
  const toastIds = useMemory((memory) => memory.toastIds);
  const isWorking = useMemory(() => toolInView !== null && isUnderWay(toolInView));
  const announced = useRef(new Set<string>());
  const said = useRef<{ tool: ToolId; toastId: string }[]>([]);
  useEffect(() => {
    if (!isWorking) return;
    for (const { tool, toastId } of said.current) if (tool === toolInView) say.noMore(toastId);
    said.current = said.current.filter(({ tool }) => tool !== toolInView);
  }, [isWorking, toolInView]);
  useEffect(() => {
    for (const generation of followed) {
      const { id, tool, status } = generation;
      const toastId = toastIds.get(id);
      if (toastId === undefined || !isTerminal(status) || announced.current.has(id)) continue;
      announced.current.add(id);
      const isInView = tool === toolInView && isOnStage(readStage(tool), id);
      if (status === 'canceled' && isInView) continue;
      if (status !== 'canceled' && !isInView && isTrayOpen) {
        readAloud({ id, sentence: `${nameTool(tools[tool])}: ${endSentence(generation)}` });
        continue;
      }
      sayEnd(generation, toastId);
      said.current.push({ tool, toastId: status === 'succeeded' ? toastId : id });
    }
  }, [followed, toastIds, toolInView, isTrayOpen]);
  return read;
}

function sayEnd(generation: Generation, toastId: string): void {
  const { id, status } = generation;
  if (status === 'succeeded') return say.done(endSentence(generation), { id: toastId });
  if (status === 'canceled') return say.note(endSentence(generation), { id, icon: 'returned' });
  say.wrong(endSentence(generation), { id });
}
