import { useEffect, useRef } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { tools } from '@plinth/contract/tools';
import { say } from '../../ui/above/toast.tsx';
import { isOnStage, type Stage } from '../memory.ts';
import { canceledSentence, type Followed } from '../running.ts';

/**
 * Announces how this page's generations ended; success replaces the toast of the press. Progress is shown by the stage,
 * History and the tray; a cancellation is shown by the stage if it is there.
 */
export function useGenerationToasts(
  followed: Followed,
  own: ReadonlyMap<string, string>,
  stage: Pick<Stage, 'shown' | 'row'> | null,
): void {
  const announced = useRef(new Set<string>());
  useEffect(() => {
    for (const generation of followed) {
      const { id, status } = generation;
      const toastId = own.get(id);
      if (toastId === undefined || !isTerminal(status) || announced.current.has(id)) continue;
      announced.current.add(id);
      if (status !== 'canceled' || stage === null || !isOnStage(stage, id)) sayEnd(generation, toastId);
    }
  }, [followed, own, stage]);
}

function sayEnd(generation: Generation, toastId: string): void {
  const { id, tool, status, error } = generation;
  if (status === 'succeeded') return say.done(tools[tool].says.done, { id: toastId });
  if (status === 'canceled') return say.note(canceledSentence(generation), { id, icon: 'returned' });
  say.wrong(error?.message ?? tools[tool].says.failed, { id });
}
