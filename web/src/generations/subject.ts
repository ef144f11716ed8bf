import { useEffect } from 'react';
import { subjectSchema, type Marks, type Subject } from '@plinth/contract/marks';
import { findMarksField, pictureFields } from '@plinth/contract/tool-fields';
import type { ToolEntry } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { toApiError } from '../platform/api.ts';
import { useOnline } from '../platform/online.ts';
import { useApi } from '../platform/useApi.ts';
import type { PickedImage } from './check-image.ts';
import { readPage, setField } from './memory.ts';
import { refusePhoto } from './take-photo.ts';

/**
 * Asks what would be cut out of the photo of a field as soon as it stands there: once for each photo and for what is
 * marked on it, because the answer stays with it. Where nobody can say, nothing is asked of the person either. Nothing
 * is kept or paid for it.
 */
export function useSubject(toolId: ToolId, name: string | null, picked: PickedImage | undefined): void {
  const api = useApi();
  const isOnline = useOnline();
  useEffect(() => {
    if (name === null || picked === undefined || picked.subject !== undefined || !isOnline) return undefined;
    const { file, marks } = picked;
    const leaving = new AbortController();
    const form = new FormData();
    form.append('image', file, file.name);
    if (marks !== undefined) form.append('marks', JSON.stringify(marks));
    api.send('/api/v1/subject', subjectSchema, { method: 'POST', form, signal: leaving.signal }).then(
      (subject) => setField(toolId, name, { ...picked, subject }),
      (cause: unknown) => {
        const { fields } = toApiError(cause);
        // What the server cannot read, such as a file that ends too early, would be refused when it is sent.
        const refused = fields.find(({ field }) => field === 'image');
        // Otherwise the photo may be sent without it; and one that is being read takes its place anyway.
        if (refused === undefined || readPage(toolId).photos[name]?.reading !== undefined) return;
        setField(toolId, name, null);
        refusePhoto(toolId, name, refused.detail);
      },
    );
    return () => leaving.abort();
  }, [api, isOnline, toolId, name, picked]);
}

/** The picture field of a narrowed tool whose product can be shown; null where none can, and until that is known. */
export function findMarkable(tool: Tool, entry: ToolEntry | undefined): string | null {
  return pictureFields(tool).find((name) => entry && findMarksField(tool, name)) ?? null;
}

export type Finding = 'unknown' | 'sure' | 'doubtful' | 'nothing' | 'agreed' | 'shown' | 'nothing left';

export function judge({ subject, marks }: Pick<PickedImage, 'subject' | 'marks'>): Finding {
  const isNothing = subject !== undefined && subject.box === null;
  if (marks !== undefined) return isNothing ? 'nothing left' : isFound(marks, subject) ? 'agreed' : 'shown';
  if (subject === undefined) return 'unknown';
  if (isNothing) return 'nothing';
  return subject.sure ? 'sure' : 'doubtful';
}

/** Whether the person has to say something to it. */
export const asks = (finding: Finding): boolean =>
  finding === 'doubtful' || finding === 'nothing' || finding === 'nothing left';

/** The photo with what its person showed of it. A box that was found is known already; anything else is asked anew. */
export function showProduct({ subject, ...photo }: PickedImage, marks: Marks): PickedImage {
  return { ...photo, marks, ...(subject && isFound(marks, subject) && { subject }) };
}

/** A chosen photo for the editor of marks, with what was shown of it before, else with what was found in it. */
export const toMark = ({ file, marks, subject }: PickedImage, found: Marks['box'] | null = subject?.box) => ({
  pictureId: `${file.name} ${file.size}`,
  photo: file,
  start: marks ?? (found ? { box: found } : {}),
});

/** Whether it shows no more than the box that was found. */
const isFound = ({ box, keep, drop }: Marks, subject: Subject | undefined): boolean =>
  keep === undefined && drop === undefined && String(box) === String(subject?.box);
