import { subjectSchema, type Marks, type Subject } from '@plinth/contract/marks';
import { findMarksField, pictureFields } from '@plinth/contract/tool-fields';
import type { ToolEntry } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import type { Api } from '../platform/api.ts';
import type { PickedImage } from './check-image.ts';

/** Asks what would be cut out of the picture, with what was marked on it. Nothing is kept or paid for it. */
export function askForSubject(
  api: Api,
  { file, marks }: Pick<PickedImage, 'file' | 'marks'>,
  signal: AbortSignal,
): Promise<Subject> {
  const form = new FormData();
  form.append('image', file, file.name);
  if (marks !== undefined) form.append('marks', JSON.stringify(marks));
  return api.send('/api/v1/subject', subjectSchema, { method: 'POST', form, signal });
}

/** The picture field whose product can be shown while this serves the tool; null where none can. */
export function findMarkable(tool: Tool, entry: ToolEntry | undefined): string | null {
  const markable = pictureFields(tool).find((name) => {
    const marks = findMarksField(tool, name);
    return marks !== undefined && entry?.fields.some((field) => field.name === marks) === true;
  });
  return markable ?? null;
}

export function findPlacementField(tool: Tool, entry: ToolEntry | undefined): string | undefined {
  const name = Object.keys(tool.fields).find((field) => tool.fields[field]?.kind === 'placement');
  return entry?.fields.some((field) => field.name === name) === true ? name : undefined;
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
