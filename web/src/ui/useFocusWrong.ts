import { useEffect, type RefObject } from 'react';

/**
 * Leads to what was refused: focus to the named control, and the error box into view. Waits until the form is open
 * again, because a disabled control takes no focus. `wrong` is a new object for every refusal.
 */
export function useFocusWrong(
  form: RefObject<HTMLFormElement | null>,
  wrong: object | null,
  control: string | null,
  isLocked: boolean,
): void {
  useEffect(() => {
    if (wrong === null || isLocked) return;
    if (control !== null) form.current?.querySelector<HTMLElement>(control)?.focus();
    // At once: a smooth scroll on its way to the stage would win, and the phone's sticky button lie on the sentence.
    form.current?.querySelector(':scope > .error')?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [form, wrong, control, isLocked]);
}
