import { useEffect, useEffectEvent } from 'react';
import type { ToolEntry } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import { useOnline } from '../../platform/online.ts';
import { useApi } from '../../platform/useApi.ts';
import type { PickedImage } from '../check-image.ts';
import { pictureOf, type Draft } from '../drafts.ts';
import { askForSubject, findMarkable } from '../subject.ts';

type SubjectUse = {
  tool: Tool;
  entry: ToolEntry | undefined;
  draft: Draft;
  onAnswer: (name: string, picked: PickedImage) => void;
};

/**
 * Asks what would be cut out of the photo as soon as it stands in the form: once for each photo and for what is marked
 * on it, because the answer stays with it. Where nobody can say, nothing is asked of the person either.
 */
export function useSubject({ tool, entry, draft, onAnswer }: SubjectUse): void {
  const api = useApi();
  const isOnline = useOnline();
  const name = findMarkable(tool, entry);
  const picked = name === null ? undefined : pictureOf(draft, name);
  const answer = useEffectEvent(onAnswer);
  useEffect(() => {
    if (name === null || picked === undefined || picked.subject !== undefined || !isOnline) return undefined;
    const leaving = new AbortController();
    askForSubject(api, picked, leaving.signal).then(
      (subject) => answer(name, { ...picked, subject }),
      () => undefined, // The photo may be sent without it.
    );
    return () => leaving.abort();
  }, [api, isOnline, name, picked]);
}
