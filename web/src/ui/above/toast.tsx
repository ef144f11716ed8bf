import { Check, TriangleAlert, Undo2, X } from 'lucide-react';
import { use, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { ERROR_TOAST_MS } from '@plinth/contract/limits';
import { leaveNote, takeNote } from '../../platform/kept/tab-notes.ts';
import { buttonClass } from '../button-class.ts';
import { Drawing } from '../Drawing.tsx';
import { LinkContext } from '../link-context.ts';

const BRIEF_MS = 4000;
const LOOKS = {
  working: { icon: <span className="spinner" aria-hidden="true" />, tone: '', seenMs: Infinity },
  done: { icon: <Drawing of={Check} />, tone: 'is-good', seenMs: BRIEF_MS },
  returned: { icon: <Drawing of={Undo2} />, tone: '', seenMs: BRIEF_MS },
  note: { icon: null, tone: '', seenMs: BRIEF_MS },
  wrong: { icon: <Drawing of={TriangleAlert} />, tone: 'is-wrong', seenMs: ERROR_TOAST_MS },
} satisfies Record<string, { icon: ReactNode; tone: string; seenMs: number }>;

type Options = { id?: string; icon?: 'returned'; action?: { label: string; to: string } };
type Toast = Omit<Options, 'icon'> & { id: string; look: keyof typeof LOOKS; sentence: string };

/** The newest first. */
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const put =
  (look: Toast['look']) =>
  (sentence: string, { id = sentence, icon, action }: Options = {}): void => {
    const toast = { id, look: icon ?? look, sentence, ...(action && { action }) };
    const at = toasts.findIndex((one) => one.id === id);
    change(at < 0 ? [toast, ...toasts] : toasts.with(at, toast));
  };

/** What the product says aloud. The same id replaces the text of the toast that is already there. */
export const say = {
  /** Stays until something else of its id is said. */
  working: (sentence: string, id: string): void => put('working')(sentence, { id }),
  done: put('done'),
  note: put('note'),
  wrong: put('wrong'),
  /** Takes it back, or all of them. */
  noMore: (id?: string): void => change(toasts.filter((one) => id !== undefined && one.id !== id)),
};

/** Says it on the page that comes next, for a sentence whose page leaves at once. */
export function sayOnNextPage(sentence: string): void {
  leaveNote(NEXT_PAGE, sentence);
}
const NEXT_PAGE = 'plinth-say';

export function Toasts() {
  const shown = useSyncExternalStore(listen, readToasts, readToasts);
  useEffect(() => {
    const sentence = takeNote(NEXT_PAGE);
    if (sentence !== null) say.done(sentence, { id: 'sign-in' });
  }, []);
  return (
    <section className="toasts" aria-label="Notifications" aria-live="polite">
      {shown.map((toast) => (
        <Shown key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

const readToasts = () => toasts;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const TICK_MS = 200;

/** One of them. Time in which it is not looked at, or somebody points at one of them or is in one, does not count. */
function Shown({ toast }: { toast: Toast }) {
  const { id, look, sentence, action } = toast;
  const { icon, tone } = LOOKS[look];
  const makeLink = use(LinkContext);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let leftMs: number = LOOKS[toast.look].seenMs;
    const timer = setInterval(() => {
      const all = place.current?.parentElement;
      const isHeld = all?.matches(':hover') === true || all?.contains(document.activeElement) === true;
      if (document.hidden || isHeld) return;
      leftMs -= TICK_MS;
      if (leftMs <= 0) say.noMore(toast.id);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [toast]);
  return (
    <div ref={place} className="toast">
      {icon !== null && <span className={`toast-icon ${tone}`}>{icon}</span>}
      <p>{sentence}</p>
      {look === 'wrong' && (
        <button
          type="button"
          className={buttonClass({ look: 'borderless', square: true })}
          aria-label="Dismiss"
          onClick={() => say.noMore(id)}
        >
          <Drawing of={X} size={16} />
        </button>
      )}
      {action && makeLink({ to: action.to, className: buttonClass({ look: 'quiet' }), children: action.label })}
    </div>
  );
}
