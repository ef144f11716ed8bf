import { use, useEffect } from 'react';
import { toast, Toaster as SonnerToaster } from 'sonner';
import { ERROR_TOAST_MS } from '@plinth/contract/limits';
import { buttonClass } from '../button-class.ts';
import { Icon, type IconName } from '../icons.tsx';
import { LinkContext } from '../link-context.ts';

type ToastOptions = { id?: string; action?: { label: string; to: string } };

const WORKING = <span className="spinner" aria-hidden="true" />;
/** All options are set each time: the replaced toast may have been an error with an action. */
const BRIEF = { duration: 4000, closeButton: false, action: null };

/** Implements `say` of toast.tsx once this file is loaded. */
export const toasts = {
  working: (sentence: string, id: string) =>
    // Not sonner's own loading toast, which cannot be dismissed.
    toast.message(sentence, { ...keyed(id), ...BRIEF, icon: WORKING, duration: Infinity }),
  done: (sentence: string, { id }: ToastOptions = {}) =>
    toast.success(sentence, { ...keyed(id), ...BRIEF, icon: undefined }),
  note: (sentence: string, { id, icon }: ToastOptions & { icon?: IconName } = {}) =>
    toast.message(sentence, { ...keyed(id), ...BRIEF, icon: icon && <Icon name={icon} /> }),
  wrong: (sentence: string, { id, action }: ToastOptions = {}) =>
    toast.error(sentence, {
      ...keyed(id),
      icon: undefined,
      duration: ERROR_TOAST_MS,
      closeButton: true,
      action: action ? <ToastLink {...action} /> : null,
    }),
  noMore: (id: string) => {
    const said = keyed(id);
    toast.dismiss(said.id);
    said.onDismiss?.();
  },
};

function ToastLink({ label, to }: { label: string; to: string }) {
  const makeLink = use(LinkContext);
  return makeLink({ to, className: buttonClass({ look: 'quiet' }), children: label });
}

/**
 * sonner writes into a toast that is just leaving (200 ms), and both disappear. A leaving toast therefore gives up its
 * id, so the next sentence with that id gets a new toast.
 */
function keyed(id: string | undefined) {
  if (id === undefined) return {};
  const leave = () => void timesGone.set(id, (timesGone.get(id) ?? 0) + 1);
  return { id: `${id} ${timesGone.get(id) ?? 0}`, onAutoClose: leave, onDismiss: leave };
}
const timesGone = new Map<string, number>();

/** Resolves once a toast can be shown; earlier ones would be lost. */
export const { promise: isThere, resolve: arrive } = Promise.withResolvers<void>();

export function Toaster() {
  useEffect(arrive, []);
  return (
    <div ref={keepTabOrder}>
      <SonnerToaster
        className="toasts"
        position="top-right"
        customAriaLabel="Notifications, Alt+T"
        expand
        visibleToasts={3}
        gap={10}
        toastOptions={{
          unstyled: true,
          className: 'toast',
          closeButtonAriaLabel: 'Dismiss',
          classNames: { closeButton: 'button borderless square' },
        }}
        icons={{
          success: <Icon name="check" />,
          error: <Icon name="warning" />,
          close: <Icon name="close" size={16} />,
        }}
      />
    </div>
  );
}

/** How far down a title is in the way of a toast, in pixels. */
const TITLES_WITHIN_PX = 160;

/** Says in `--title-end` where the title in front ends: a phone's toasts, as wide as the window, stand below it. */
function keepBelowTitle(place: HTMLElement): void {
  const title = [...place.ownerDocument.querySelectorAll('h1, .whole-window > header')].at(-1);
  const { top, bottom } = title?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  place.style.setProperty('--title-end', `${top < TITLES_WITHIN_PX ? Math.round(bottom) : 0}px`);
}

/**
 * Tab skips toasts except for their buttons. sonner makes each toast a tab stop and, when the focus leaves, moves it
 * back to its origin every time.
 */
function keepTabOrder(place: HTMLElement | null) {
  if (place === null) return undefined;
  const hush = (event: Event) => event.stopPropagation();
  const watcher = new MutationObserver(() => {
    for (const shown of place.querySelectorAll<HTMLElement>('[data-sonner-toast]')) shown.tabIndex = -1;
    keepBelowTitle(place);
  });
  watcher.observe(place, { childList: true, subtree: true });
  // A dialog comes and goes here.
  watcher.observe(document.body, { childList: true });
  const ending = new AbortController();
  place.addEventListener('focusin', hush, ending);
  place.addEventListener('focusout', hush, ending);
  return () => {
    watcher.disconnect();
    ending.abort();
  };
}
