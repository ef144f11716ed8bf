import { useEffect, useEffectEvent, type ReactNode, type RefObject } from 'react';
import type { SignInOptions } from '@plinth/contract/auth';
import { errors, sentences } from '@plinth/contract/errors';
import { PASSWORD_MIN_LENGTH } from '@plinth/contract/limits';
import type { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { sayOnNextPage } from '../ui/above/toast.tsx';
import { useForm, type FormError } from '../ui/fields/useForm.ts';
import { toReturnPath, readReturnPath } from './return-path.ts';
import type { Mode } from './LoginScreen.tsx';

type Credentials = { email: string; password: string };

type Refusal = FormError<'email' | 'password'>;

export function useEmailForm(mode: Mode) {
  const api = useApi();
  return useForm<Refusal>({
    mode,
    check: (fields) => validateForm(readForm(fields)),
    send: async (fields) => {
      await api.command(`/api/v1/auth/${mode}`, { method: 'POST', body: readForm(fields) });
      sayOnNextPage('done', sentences.loggedIn);
      window.location.replace(toReturnPath(readReturnPath()));
    },
    explain,
    toastId: 'sign-in',
    isLeaving: true,
  });
}

type EmailFormProps = {
  use: ReturnType<typeof useEmailForm>;
  mode: Mode;
  label: string;
  busy: string;
  /** True while the page is being left, here or for Google. */
  isOff: boolean;
  demo: SignInOptions['demo'];
  /**
   * Content right below the button. The demo account comes last, because it arrives late and must not shift the layout.
   */
  children: ReactNode;
};

export function EmailForm({ use, mode, label, busy, isOff, demo, children }: EmailFormProps) {
  const { form, wrong, isSending, errorId, submit, clear, stateOf } = use;
  useCodeInLink(form, demo);
  const handleFillIn = (email: string) => {
    fillIn(form.current, { email });
    form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
    clear();
  };

  return (
    // The method only matters before hydration: outside a dialog this form is never submitted by the browser.
    <form ref={form} method="dialog" noValidate className="stack" onSubmit={submit}>
      <InputField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        onChange={clear}
        {...stateOf('email')}
        disabled={isOff}
      />
      <PasswordField
        label="Password"
        name="password"
        minLength={PASSWORD_MIN_LENGTH}
        autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
        onChange={clear}
        {...stateOf('password')}
        disabled={isOff}
      />
      {wrong && <ErrorBox id={errorId}>{wrong.sentence}</ErrorBox>}
      <Button type="submit" look="primary" large fullWidth busy={isSending && busy} disabled={isOff}>
        {label}
      </Button>
      <noscript>
        <p className="small">Signing in with email needs JavaScript in your browser.</p>
      </noscript>
      {children}
      {demo && (
        <div className="trybox cluster spread">
          <p className="small">Demo account, code in your terminal</p>
          <Button look="borderless" disabled={isOff} onClick={() => handleFillIn(demo.email)}>
            Fill in
          </Button>
        </div>
      )}
    </form>
  );
}

function useCodeInLink(form: RefObject<HTMLFormElement | null>, demo: SignInOptions['demo']): void {
  const signIn = () => {
    const code = demo && takeCode();
    if (!code) return;
    fillIn(form.current, { email: demo.email, password: code });
    form.current?.requestSubmit();
  };
  const signInAtOnce = useEffectEvent(signIn);
  useEffect(() => signInAtOnce(), [demo]);
  // Pasting the link into an open page changes only the fragment.
  useWindowEvent('hashchange', signIn);
}

const CODE = /^#demo=(?<code>[\w-]+)$/;

/**
 * Reads the demo account's code from the terminal link and removes it from the address. It is in the fragment, so it is
 * never sent over the network.
 */
function takeCode(): string | undefined {
  const { hash, pathname, search } = window.location;
  const code = CODE.exec(hash)?.groups?.code;
  if (code !== undefined) window.history.replaceState(window.history.state, '', pathname + search);
  return code;
}

function fillIn(form: HTMLFormElement | null, texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    const input = form?.querySelector<HTMLInputElement>(`[name=${name}]`);
    if (input) input.value = text;
  }
}

const readForm = (fields: FormData) => Object.fromEntries(fields) as Credentials;

function validateForm({ email, password }: Credentials): Refusal | null {
  const blank = [email.trim() === '' && 'email', password === '' && 'password'] as const;
  const fields = blank.filter((field) => field !== false);
  return fields.length === 0 ? null : { sentence: errors.credentials_required.detail, fields };
}

const EMAIL_IN_USE = 'There is an account with this email already: sign in instead.';
const WRONG_FIELDS: Partial<Record<ApiError['code'], Refusal['fields']>> = {
  credentials_required: ['email', 'password'],
  invalid_credentials: ['password'],
  email_invalid: ['email'],
  email_in_use: ['email'],
  password_too_short: ['password'],
  password_too_long: ['password'],
};

function explain({ code, message }: ApiError): Refusal {
  if (code === 'unexpected') return { sentence: sentences.signInFailed, fields: [] };
  const fields = WRONG_FIELDS[code] ?? [];
  return { sentence: code === 'email_in_use' ? `${message}. ${EMAIL_IN_USE}` : message, fields };
}
