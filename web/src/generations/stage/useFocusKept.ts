import { useEffect, useRef, type RefObject } from 'react';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';

type Place = { element: Element; field: string | undefined; isStage: boolean };

/**
 * A control that goes away, or is locked, would let the focus fall to the page. It goes on with the field that it was
 * in; from the stage to what stands there next, or to the form when it is fresh.
 */
export function useFocusKept(
  form: RefObject<HTMLFormElement | null>,
  stage: RefObject<HTMLElement | null>,
  isFresh: boolean,
): void {
  const last = useRef<Place | null>(null);
  useWindowEvent('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const field = target.closest<HTMLElement>('[data-field]')?.dataset['field'];
    const isStage = stage.current?.contains(target) === true;
    last.current = field !== undefined || isStage ? { element: target, field, isStage } : null;
  });

  // After every drawing: any of them may have taken the control away.
  useEffect(() => {
    if (last.current === null || !isLost(last.current.element)) return;
    const { field, isStage } = last.current;
    if (isStage && !isFresh) return stage.current?.focus({ preventScroll: true });
    const place = field === undefined ? '[data-field]' : `[data-field=${field}]`;
    const controls = `${place} :is(input,textarea,button):enabled, [type=submit]`;
    form.current?.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
  });
}

function isLost(element: Element): boolean {
  if (element.isConnected && !element.matches(':disabled')) return false;
  return [null, document.body, element].includes(document.activeElement);
}
