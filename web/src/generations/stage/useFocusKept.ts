import { useEffect, useRef, type RefObject } from 'react';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';

type Place = { element: Element; field: string | undefined; isStage: boolean };

/**
 * If a focused control disappears or is disabled, the focus would fall to the page. Instead it moves on within its
 * field; from the stage it moves to the next control there, or to the form if the stage is empty.
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

  // Runs after every render, because any render may remove the control.
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
