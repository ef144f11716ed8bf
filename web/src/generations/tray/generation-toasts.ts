import { useEffect, useRef } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { tools } from '@plinth/contract/tools';
import { say } from '../../ui/toast.tsx';
import { canceledSentence, type Followed } from '../running.ts';

/**
 * One toast per generation, whose text follows its real state. What another page started is left to that page, and the
 * steps of what stands on the stage in view to the stage.
 */
export function useGenerationToasts(
  followed: Followed,
  own: ReadonlyMap<string, string>,
  shownId: string | null,
): void {
  const said = useRef(new Map<string, string>());
  useEffect(() => {
    for (const generation of followed) {
      const isInView = generation.id === shownId && !isTerminal(generation.status);
      const state = isInView ? 'in view' : `${generation.status} ${generation.progress.message}`;
      const toastId = own.get(generation.id);
      if (toastId === undefined || said.current.get(generation.id) === state) continue;
      said.current.set(generation.id, state);
      if (isInView) say.noMore(toastId);
      else sayGeneration(generation, toastId);
    }
  }, [followed, own, shownId]);
}

function sayGeneration(generation: Generation, id: string): void {
  const { says } = tools[generation.tool];
  if (!isTerminal(generation.status)) return void say.working(generation.progress.message, id);
  if (generation.status === 'succeeded') return void say.done(says.done, { id });
  if (generation.status === 'canceled') return void say.note(canceledSentence(generation), { id, icon: 'returned' });
  say.wrong(generation.error?.message ?? says.failed, { id });
}
