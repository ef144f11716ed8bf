import { useEffect } from 'react';
import type { ToolId } from '@plinth/contract/tools';
import { useOnline } from '../platform/online.ts';
import { useApi } from '../platform/useApi.ts';
import { pictureOf, type Draft } from './drafts.ts';
import { setField } from './memory.ts';
import { askForSubject } from './subject.ts';

/**
 * Asks what would be cut out of the photo as soon as it stands in the form: once for each photo and for what is marked
 * on it, because the answer stays with it. Where nobody can say, nothing is asked of the person either.
 */
export function useSubject(toolId: ToolId, name: string | null, draft: Draft): void {
  const api = useApi();
  const isOnline = useOnline();
  const picked = name === null ? undefined : pictureOf(draft, name);
  useEffect(() => {
    if (name === null || picked === undefined || picked.subject !== undefined || !isOnline) return undefined;
    const leaving = new AbortController();
    askForSubject(api, picked, leaving.signal).then(
      (subject) => setField(toolId, name, { ...picked, subject }),
      () => undefined, // The photo may be sent without it.
    );
    return () => leaving.abort();
  }, [api, isOnline, toolId, name, picked]);
}
