import { useEffect, useRef } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { tools } from '@plinth/contract/tools';
import { say } from '../ui/toast.tsx';
import { plural } from '../ui/format.ts';
import type { Followed } from './running.ts';

/** One toast per generation, whose text follows its real state. What another page started is left to that page. */
export function useGenerationToasts(followed: Followed, own: ReadonlyMap<string, string>): void {
  const said = useRef(new Map<string, string>());
  useEffect(() => {
    for (const generation of followed) {
      const state = `${generation.status} ${generation.progress.message}`;
      const toastId = own.get(generation.id);
      if (toastId === undefined || said.current.get(generation.id) === state) continue;
      said.current.set(generation.id, state);
      sayGeneration(generation, toastId);
    }
  }, [followed, own]);
}

function sayGeneration(generation: Generation, id: string): void {
  const { says } = tools[generation.tool];
  if (!isTerminal(generation.status)) return void say.working(generation.progress.message, id);
  if (generation.status === 'succeeded') return void say.done(says.done, { id });
  if (generation.status === 'canceled') return void say.note(canceledSentence(generation), { id, icon: 'returned' });
  say.wrong(generation.error?.message ?? says.failed, { id });
}

/** A free second try had nothing to give back. */
export function canceledSentence({ cost, refunded }: Generation): string {
  return refunded ? `Canceled. ${plural(cost, 'credit')} returned.` : 'Canceled.';
}
