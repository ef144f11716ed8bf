import { useId, useRef, useState, type SubmitEvent } from 'react';
import { isSessionOver, toApiError, type ApiError } from '../../platform/api.ts';
import { say } from '../above/toast.tsx';
import { useFocusInvalid } from './useFocusInvalid.ts';

/** A refused form: its sentence and the fields it concerns. The first field takes the focus. */
export type FormError<Field extends string = string> = { sentence: string; fields: readonly Field[] };

type FormUse<Refusal extends FormError> = {
  /** Checks the form before anything is sent. */
  check?: (fields: FormData) => Refusal | null;
  send: (fields: FormData) => Promise<unknown>;
  explain: (error: ApiError) => Refusal;
  toastId?: string;
  /** A refusal in one mode of the form is not shown in another. */
  mode?: string;
  isLeaving?: boolean;
  firstField?: string;
};

/** Validates and sends a form once per press, and focuses what was refused. An ended session reports itself. */
export function useForm<Refusal extends FormError>(use: FormUse<Refusal>) {
  const { check, send, explain, toastId, mode, isLeaving = false, firstField } = use;
  const form = useRef<HTMLFormElement>(null);
  const errorId = useId();
  const [refused, setRefused] = useState<{ refusal: Refusal; mode: string | undefined } | null>(null);
  const [isSending, setIsSending] = useState(false);
  const isUnderWay = useRef(false);
  const wrong = refused !== null && refused.mode === mode ? refused.refusal : null;
  const first = wrong?.fields[0] ?? firstField;
  useFocusInvalid(form, wrong, first === undefined ? null : controlOf(first), isSending);

  const mark = (isOnItsWay: boolean) => {
    isUnderWay.current = isOnItsWay;
    setIsSending(isOnItsWay);
  };
  const refuse = (refusal: Refusal) => {
    setRefused({ refusal, mode });
    if (toastId !== undefined) say.wrong(refusal.sentence, { id: toastId });
  };
  const run = async () => {
    if (isUnderWay.current) return;
    const fields = new FormData(form.current ?? undefined);
    const found = check?.(fields) ?? null;
    if (found !== null) return refuse(found);
    setRefused(null);
    mark(true);
    try {
      await send(fields);
      if (!isLeaving) mark(false);
    } catch (cause) {
      const error = toApiError(cause);
      if (!isSessionOver(error)) refuse(explain(error));
      mark(false);
    }
  };
  return {
    form,
    wrong,
    isSending,
    errorId,
    submit: (event?: SubmitEvent) => {
      event?.preventDefault();
      void run();
    },
    clear: () => setRefused(null),
    stateOf: (field: Refusal['fields'][number]) => ({
      disabled: isSending,
      'aria-invalid': wrong?.fields.includes(field) === true ? true : undefined,
      'aria-describedby': wrong === null ? undefined : errorId,
    }),
  };
}

/** Selector of a field's control: by its name, or the first control in its container. */
export const controlOf = (field: string): string =>
  `[name="${field}"], [data-field="${field}"] :is(input,textarea,button)`;

export function explainAsSaid({ message, fields }: ApiError): FormError {
  return { sentence: message, fields: fields.map(({ field }) => field) };
}
