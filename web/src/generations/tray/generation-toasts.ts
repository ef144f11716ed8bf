import { useEffect, useRef } from 'react';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { sentences } from '@plinth/contract/errors';
import { type ToolId, tools } from '@plinth/contract/tools';
import { say } from '../../ui/toast.tsx';
import { isOnStage, useMemory, type Memory, type Stage } from '../memory.ts';
import { canceledSentence, type Followed } from '../running.ts';

/**
 * One toast per press, whose text follows the real state of what it made; what ends without a result is told by itself.
 * What another page started is left to that page, and the steps of what is in view, on the stage or in History, to it.
 */
export function useGenerationToasts(
  followed: Followed,
  own: ReadonlyMap<string, string>,
  stage: Pick<Stage, 'shown' | 'row'> | null,
  isHistoryInView: boolean,
): void {
  const said = useRef(new Map<string, string>());
  useEffect(() => {
    for (const generation of followed) {
      const isStaged = stage !== null && isOnStage(stage, generation.id);
      // The card of one that was canceled says all that there is to say.
      const isInView = isTerminal(generation.status)
        ? isStaged && generation.status === 'canceled'
        : isStaged || isHistoryInView;
      const state = isInView ? 'in view' : `${generation.status} ${generation.progress.message}`;
      const toastId = own.get(generation.id);
      if (toastId === undefined || said.current.get(generation.id) === state) continue;
      said.current.set(generation.id, state);
      if (isInView) say.noMore(toastId);
      else sayGeneration(generation, toastId);
    }
  }, [followed, own, stage, isHistoryInView]);
}

/**
 * A form on its way says so on other screens than its own, by the toast of its press: how it goes on replaces it.
 */
export function useSendingToasts(toolInView: ToolId | null): void {
  const sending = useMemory((memory) => JSON.stringify(listSending(memory)));
  useEffect(() => {
    for (const { toolId, key, step } of JSON.parse(sending) as ReturnType<typeof listSending>) {
      if (toolId === toolInView) say.noMore(key);
      else say.working(step, key);
    }
  }, [sending, toolInView]);
}

const listSending = (memory: Memory) =>
  Object.entries(memory.tools).flatMap(([toolId, { sending, stage }]) => {
    const key = stage.attempt?.key;
    if (sending === null || sending === 'rest' || key === undefined) return [];
    return [{ toolId, key, step: sending.bytes ? 'Sending your photo' : sentences.checkingCredits }];
  });

function sayGeneration(generation: Generation, id: string): void {
  const { says } = tools[generation.tool];
  if (!isTerminal(generation.status)) return void say.working(generation.progress.message, id);
  if (generation.status === 'succeeded') return void say.done(says.done, { id });
  say.noMore(id);
  const own = { id: generation.id };
  if (generation.status === 'canceled') return say.note(canceledSentence(generation), { ...own, icon: 'returned' });
  say.wrong(generation.error?.message ?? says.failed, own);
}
