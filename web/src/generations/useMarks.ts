import { useCallback, useEffect } from 'react';
import type { Marks } from '@plinth/contract/marks';
import type { Step } from '../marks/marks.ts';
import { createClientStore } from '../platform/client-store.ts';
import { useUser } from '../platform/useUser.ts';
import { keepMarks, readKeptMarks } from './kept-marks.ts';

/** Marks by generation: those it was made with, and those that were painted and not sent. */
type AllMarks = {
  sent: Readonly<Record<string, Marks>>;
  drafts: Readonly<Record<string, readonly Step[]>>;
};

const useAllMarks = createClientStore<AllMarks>('session', { sent: {}, drafts: {} });

/** The marks that a generation was made with are kept for the next try of it: a try knows only what is sent with it. */
export function rememberMarks(userId: string, generationId: string, marks: Marks): void {
  useAllMarks.setState(({ sent }) => ({ sent: { ...sent, [generationId]: marks } }));
  keepMarks(userId, generationId, 'sent', marks).catch(() => undefined); // Private windows keep nothing.
}

/**
 * The marks of one generation, also after a reload: those it was made with, and those that were painted and not sent.
 */
export function useMarksOf(generationId: string) {
  const { id: userId } = useUser();
  const sent = useAllMarks((all) => all.sent[generationId]);
  const draft = useAllMarks((all) => all.drafts[generationId]);
  useEffect(() => {
    readKeptMarks(userId, generationId).then(
      ({ sent: marks, steps }) =>
        // What was painted in this page meanwhile is newer.
        useAllMarks.setState((all) => ({
          ...(marks !== undefined && { sent: { [generationId]: marks, ...all.sent } }),
          ...(steps !== undefined && { drafts: { [generationId]: steps, ...all.drafts } }),
        })),
      () => undefined, // Private windows keep nothing.
    );
  }, [userId, generationId]);
  return {
    sent,
    draft,
    keepDraft: useCallback(
      (steps: readonly Step[]) => {
        useAllMarks.setState(({ drafts }) => ({ drafts: { ...drafts, [generationId]: steps } }));
        keepMarks(userId, generationId, 'steps', steps).catch(() => undefined); // Private windows keep nothing.
      },
      [generationId, userId],
    ),
    remember: useCallback((id: string, marks: Marks) => rememberMarks(userId, id, marks), [userId]),
  };
}
