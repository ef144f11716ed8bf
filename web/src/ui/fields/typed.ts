import { useEffect, type RefObject } from 'react';
import { leaveNote, takeNote } from '../../platform/storage/tab-notes.ts';
import { useUser } from '../../platform/useUser.ts';

const nameNote = (userId: string, form: string) => `plinth-typed-${userId}-${form}`;

/** Leaves the words typed in this page's forms to the next page of this tab; `data-typed` names such a form. */
export function leaveTyped(userId: string): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-typed]')) {
    const typed = listFields(form).filter(({ value, defaultValue }) => value !== defaultValue);
    const values = Object.fromEntries(typed.map(({ name, value }) => [name, value]));
    if (typed.length > 0) leaveNote(nameNote(userId, form.dataset['typed'] ?? ''), JSON.stringify(values));
  }
}

/** Fills in what this user had typed in the form when the session ended. */
export function useTyped(form: RefObject<HTMLFormElement | null>): void {
  const { id } = useUser();
  useEffect(() => {
    if (form.current === null) return;
    const note = takeNote(nameNote(id, form.current.dataset['typed'] ?? ''));
    if (note === null) return;
    const values = JSON.parse(note) as Record<string, string>;
    for (const field of listFields(form.current)) field.value = values[field.name] ?? field.value;
  }, [form, id]);
}

const listFields = (form: HTMLFormElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input:not([type=checkbox], [type=password])'),
];
