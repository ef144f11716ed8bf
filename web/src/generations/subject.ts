import { useEffect } from 'react';
import { subjectSchema, type Marks, type Subject } from '@plinth/contract/marks';
import { findMarksField, pictureFields } from '@plinth/contract/tool-fields';
import type { ToolEntry } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { toApiError } from '../platform/api.ts';
import { useOnline } from '../platform/online.ts';
import { useApi } from '../platform/useApi.ts';
import { type PickedImage, pictureOf } from './drafts.ts';
import { changePhoto, readDraft, readPage, setField, type Page } from './memory.ts';
import { refusePhoto } from './pick-photo.ts';

/**
 * Asks what would be cut out of a field's photo as soon as it is chosen: once per photo and its marks, because the
 * answer is cached. Without an answer the user is not asked either. Nothing is stored or charged.
 */
export function useSubject(toolId: ToolId, name: string | null, picked: PickedImage | undefined): void {
  const api = useApi();
  const isOnline = useOnline();
  useEffect(() => {
    if (name === null || picked === undefined || picked.subject !== undefined || !isOnline) return undefined;
    const { file, marks } = picked;
    const isStill = () => pictureOf(readDraft(toolId), name) === picked;
    const leaving = new AbortController();
    const form = new FormData();
    form.append('image', file, file.name);
    if (marks !== undefined) form.append('marks', JSON.stringify(marks));
    const answered = api.send('/api/v1/subject', subjectSchema, { method: 'POST', form, signal: leaving.signal }).then(
      (subject) => isStill() && setField(toolId, name, { ...picked, subject }),
      (cause: unknown) => {
        const { fields } = toApiError(cause);
        // A file the server cannot read, such as a truncated one, would be refused when it is sent.
        const refused = fields.find(({ field }) => field === 'image');
        // After other failures the photo may be sent without a subject; a photo being read replaces this one anyway.
        if (refused === undefined || readPage(toolId).photos[name]?.reading !== undefined || !isStill()) return;
        setField(toolId, name, null);
        refusePhoto(toolId, name, refused.detail);
      },
    );
    const looking = answered.then(() => {
      const { looking: last, ...photo } = readPage(toolId).photos[name] ?? {};
      if (last === looking) changePhoto(toolId, name, photo);
    });
    changePhoto(toolId, name, { ...readPage(toolId).photos[name], looking });
    return () => {
      // A press that waits for the answer outlives the screen.
      const isAwaited = isStill() && readPage(toolId).sending !== null;
      if (!isAwaited) leaving.abort();
    };
  }, [api, isOnline, toolId, name, picked]);
}

/** The fields whose photo's subject is being looked for, with their requests. */
const listLooking = ({ photos }: Pick<Page, 'photos'>) =>
  Object.entries(photos).flatMap(([name, { looking }]) => (looking ? [{ name, looking }] : []));

export const isLooking = (page: Pick<Page, 'photos'>): boolean => listLooking(page).length > 0;

/** How long a press waits for the subject. A busy engine or a slow line may take longer; then the photo is sent. */
export const LOOK_WAIT_MS = 4000;

/** Waits a little for the subjects that are being looked for. True if the user has to answer for one of them. */
export async function awaitSubjects(toolId: ToolId, signal: AbortSignal): Promise<boolean> {
  const awaited = new Set<string>();
  let isOver = false;
  const end = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
    setTimeout(resolve, LOOK_WAIT_MS);
  }).then(() => void (isOver = true));
  while (isLooking(readPage(toolId)) && !isOver) {
    const all = listLooking(readPage(toolId));
    for (const { name } of all) awaited.add(name);
    await Promise.race([Promise.all(all.map(({ looking }) => looking)), end]);
  }
  const photos = [...awaited].map((name) => pictureOf(readDraft(toolId), name));
  return photos.some((picked) => picked !== undefined && needsAnswer(assess(picked)));
}

/** Returns the tool's picture field whose product can be shown; null if there is none or it is not yet known. */
export function findMarkable(tool: Tool, entry: ToolEntry | undefined): string | null {
  return pictureFields(tool).find((name) => entry && findMarksField(tool, name)) ?? null;
}

export type Assessment = 'unknown' | 'sure' | 'doubtful' | 'nothing' | 'agreed' | 'shown' | 'nothing left';

export function assess({ subject, marks }: Pick<PickedImage, 'subject' | 'marks'>): Assessment {
  const isNothing = subject !== undefined && subject.box === null;
  if (marks !== undefined) return isNothing ? 'nothing left' : isFound(marks, subject) ? 'agreed' : 'shown';
  if (subject === undefined) return 'unknown';
  if (isNothing) return 'nothing';
  return subject.sure ? 'sure' : 'doubtful';
}

/** True if the user has to answer. */
export const needsAnswer = (assessment: Assessment): boolean =>
  assessment === 'doubtful' || assessment === 'nothing' || assessment === 'nothing left';

/**
 * Scrolls to the question about a photo, onto its first answer, clear of the sticky foot. False if the tool's screen
 * was left.
 */
export function focusQuestion(toolId: ToolId): boolean {
  const answer = document.querySelector<HTMLElement>(`[data-tool=${toolId}] .asking button`);
  answer?.focus({ preventScroll: true });
  answer?.scrollIntoView({ block: 'center' });
  return answer !== null;
}

/** Returns the photo with the user's marks. A detected box needs no new request; anything else does. */
export function showProduct({ subject, ...photo }: PickedImage, marks: Marks): PickedImage {
  return { ...photo, marks, ...(subject && isFound(marks, subject) && { subject }) };
}

/** Returns a chosen photo for the mark editor, with its earlier marks or else the detected box. */
export const toMark = ({ file, marks, subject }: PickedImage, found: Marks['box'] | null = subject?.box) => ({
  pictureId: `${file.name} ${file.size}`,
  photo: file,
  start: marks ?? (found ? { box: found } : {}),
});

/** True if the marks are only the detected box. */
const isFound = ({ box, keep, drop }: Marks, subject: Subject | undefined): boolean =>
  keep === undefined && drop === undefined && String(box) === String(subject?.box);
