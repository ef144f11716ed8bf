import { useEffect, type RefObject } from 'react';

/** Longer than a browser scrolls smoothly. */
const SMOOTH_MS = 700;

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
    const named = control === null ? undefined : form.current?.querySelector<HTMLElement>(control);
    named?.focus({ preventScroll: true });
    const show = () => {
      const error = form.current?.querySelector(':scope > .error');
      // With what is said below the control.
      for (const shown of [named?.closest('.field') ?? named, error])
        shown?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    };
    show();
    // And again: a smooth scroll to the stage, still on its way, would leave the phone's sticky button on the sentence.
    const timer = setTimeout(show, SMOOTH_MS);
    return () => clearTimeout(timer);
  }, [form, wrong, control, isLocked]);
}
