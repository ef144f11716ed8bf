import { useEffect, useRef } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { tools, type ToolId } from '@plinth/contract/tools';
import { say } from '../../ui/above/toast.tsx';
import { isOnStage, readStage, useMemory, type Followed } from '../memory.ts';
import { canceledSentence } from '../followed.ts';

/**
 * Announces how this page's generations ended; success replaces the toast of the press. Progress is shown by the stage,
 * History and the tray; a cancellation is shown by the stage if it is there.
 */
export function useGenerationToasts(followed: Followed, toolInView: ToolId | null): void {
  const toastIds = useMemory((memory) => memory.toastIds);
  const announced = useRef(new Set<string>());
  useEffect(() => {
    for (const generation of followed) {
      const { id, tool, status } = generation;
      const toastId = toastIds.get(id);
      if (toastId === undefined || !isTerminal(status) || announced.current.has(id)) continue;
      announced.current.add(id);
      const isInView = tool === toolInView && isOnStage(readStage(tool), id);
      if (status !== 'canceled' || !isInView) sayEnd(generation, toastId);
    }
  }, [followed, toastIds, toolInView]);
}

function sayEnd(generation: Generation, toastId: string): void {
  const { id, tool, status, error } = generation;
  if (status === 'succeeded') return say.done(tools[tool].says.done, { id: toastId });
  if (status === 'canceled') return say.note(canceledSentence(generation), { id, icon: 'returned' });
  say.wrong(error?.message ?? tools[tool].says.failed, { id });
}
