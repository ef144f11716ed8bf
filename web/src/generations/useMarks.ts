import { useCallback, useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Marks } from '@plinth/contract/marks';
import type { Step } from '../marks/marks.ts';
import { useCached } from '../platform/useCached.ts';
import { keepMarks, readKeptMarks } from './kept-marks.ts';

type ById<Value> = Readonly<Record<string, Value>>;

const SENT_KEY = ['marks', 'sent'];
const DRAFTS_KEY = ['marks', 'drafts'];
const NONE = {};

/** The marks that a generation was made with are kept for the next try of it: a try knows only what is sent with it. */
export function rememberMarks(queryClient: QueryClient, userId: string, generationId: string, marks: Marks): void {
  queryClient.setQueryDefaults(SENT_KEY, { gcTime: Infinity });
  queryClient.setQueryData<ById<Marks>>(SENT_KEY, (sent) => ({ ...sent, [generationId]: marks }));
  keepMarks(userId, generationId, { sent: marks }).catch(() => undefined); // Private windows keep nothing.
}

/** The marks of one generation, also after a reload: those it was made with, and those that were painted and not sent. */
export function useMarksOf(generationId: string, userId: string) {
  const queryClient = useQueryClient();
  const [sent, setSent] = useCached<ById<Marks>>(SENT_KEY, NONE);
  const [drafts, setDrafts] = useCached<ById<readonly Step[]>>(DRAFTS_KEY, NONE);
  useEffect(() => {
    readKeptMarks(userId, generationId).then(
      ({ sent: marks, steps }) => {
        if (marks !== undefined) setSent((all) => ({ [generationId]: marks, ...all }));
        if (steps !== undefined) setDrafts((all) => ({ [generationId]: steps, ...all }));
      },
      () => undefined, // Private windows keep nothing.
    );
  }, [userId, generationId, setSent, setDrafts]);
  return {
    sent: sent[generationId],
    draft: drafts[generationId],
    keepDraft: useCallback(
      (steps: readonly Step[]) => {
        setDrafts((all) => ({ ...all, [generationId]: steps }));
        keepMarks(userId, generationId, { steps }).catch(() => undefined); // Private windows keep nothing.
      },
      [generationId, userId, setDrafts],
    ),
    remember: useCallback(
      (id: string, marks: Marks) => rememberMarks(queryClient, userId, id, marks),
      [queryClient, userId],
    ),
  };
}
