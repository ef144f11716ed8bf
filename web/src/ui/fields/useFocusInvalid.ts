import { useEffect, type RefObject } from 'react';

/** Longer than a browser's smooth scrolling. */
const SMOOTH_MS = 700;

/**
 * Moves the focus to the refused control and scrolls its error box into view. Waits until the form is enabled again,
 * because a disabled control takes no focus. `wrong` is a new object for each refusal.
 */
export function useFocusInvalid(
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
      // Including the text below the control.
      for (const shown of [named?.closest('.field') ?? named, error])
        shown?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    };
    show();
    // Scrolls again: a running smooth scroll to the stage would leave the phone's sticky button on the sentence.
    const timer = setTimeout(show, SMOOTH_MS);
    return () => clearTimeout(timer);
  }, [form, wrong, control, isLocked]);
}
