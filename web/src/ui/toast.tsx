import { use, useEffect } from 'react';
import { toast, Toaster } from 'sonner';
import { ERROR_TOAST_MS } from '@plinth/contract/limits';
import { PHONE } from '../platform/media-query.ts';
import { buttonClass } from './button-class.ts';
import { Icon, type IconName } from './icons.tsx';
import { LinkContext } from './link-context.ts';

type ToastOptions = { id?: string; action?: { label: string; to: string } };

/**
 * What the product says aloud. The same id replaces the text of the toast that is already there. On a phone, where a
 * toast covers the screen, work in progress is said and then left to the chip in the top bar.
 */
export const say = {
  working: (sentence: string, id: string) =>
    toast.loading(sentence, {
      id,
      duration: window.matchMedia(PHONE).matches ? 4000 : Infinity,
      closeButton: false,
      action: null,
    }),
  done: (sentence: string, { id }: ToastOptions = {}) =>
    toast.success(sentence, { ...keyed(id), duration: 4000, closeButton: false, action: null }),
  note: (sentence: string, { id, icon }: ToastOptions & { icon?: IconName } = {}) =>
    toast.message(sentence, {
      ...keyed(id),
      duration: 4000,
      closeButton: false,
      action: null,
      icon: icon && <Icon name={icon} />,
    }),
  wrong: (sentence: string, { id, action }: ToastOptions = {}) =>
    toast.error(sentence, {
      ...keyed(id),
      duration: ERROR_TOAST_MS,
      closeButton: true,
      action: action ? <ToastLink {...action} /> : null,
    }),
  /** Takes back what was said of work in progress: nobody follows it here any longer. */
  noMoreWork: () => {
    for (const shown of toast.getToasts()) if ('type' in shown && shown.type === 'loading') toast.dismiss(shown.id);
  },
};

function ToastLink({ label, to }: { label: string; to: string }) {
  const makeLink = use(LinkContext);
  return makeLink({ to, className: buttonClass({ look: 'quiet' }), children: label });
}

function keyed(id: string | undefined) {
  return id === undefined ? {} : { id };
}

/** Says it on the page that comes next, for a sentence whose page leaves at once. */
export function sayOnNextPage(sentence: string): void {
  sessionStorage.setItem(NEXT_PAGE, sentence);
}
const NEXT_PAGE = 'plinth-say';

export function Toasts() {
  useEffect(() => {
    const sentence = sessionStorage.getItem(NEXT_PAGE);
    sessionStorage.removeItem(NEXT_PAGE);
    if (sentence !== null) say.done(sentence, { id: 'sign-in' });
  }, []);
  return (
    <Toaster
      position="top-right"
      expand
      visibleToasts={3}
      gap={10}
      offset={{ top: 20, right: 24 }}
      mobileOffset={{ top: 64, left: 12, right: 12 }}
      toastOptions={{
        unstyled: true,
        className: 'toast',
        closeButtonAriaLabel: 'Dismiss',
        classNames: { closeButton: 'btn bare square' },
      }}
      icons={{
        success: <Icon name="check" />,
        error: <Icon name="warning" />,
        loading: <span className="spin" />,
        close: <Icon name="close" size={16} />,
      }}
    />
  );
}
