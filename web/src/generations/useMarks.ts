import { useCallback } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Marks } from '@plinth/contract/marks';
import type { Step } from '../marks/marks.ts';
import { useCached } from '../platform/useCached.ts';

type ById<Value> = Readonly<Record<string, Value>>;

const SENT_KEY = ['marks', 'sent'];
const DRAFTS_KEY = ['marks', 'drafts'];
const NONE = {};

/** The marks that a generation was made with are kept for the next try of it: a try knows only what is sent with it. */
export function rememberMarks(queryClient: QueryClient, generationId: string, marks: Marks): void {
  queryClient.setQueryDefaults(SENT_KEY, { gcTime: Infinity });
  queryClient.setQueryData<ById<Marks>>(SENT_KEY, (sent) => ({ ...sent, [generationId]: marks }));
}

/** The marks of one generation: those it was made with, and those that were painted and not sent. */
export function useMarksOf(generationId: string) {
  const queryClient = useQueryClient();
  const [sent] = useCached<ById<Marks>>(SENT_KEY, NONE);
  const [drafts, setDrafts] = useCached<ById<readonly Step[]>>(DRAFTS_KEY, NONE);
  return {
    sent: sent[generationId],
    draft: drafts[generationId],
    keepDraft: useCallback(
      (steps: readonly Step[]) => setDrafts((all) => ({ ...all, [generationId]: steps })),
      [generationId, setDrafts],
    ),
    remember: useCallback((id: string, marks: Marks) => rememberMarks(queryClient, id, marks), [queryClient]),
  };
}
