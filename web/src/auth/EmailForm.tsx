import { useId, useRef, useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sessionSchema, type SignInOptions } from '@plinth/contract/auth';
import { errors, sentences } from '@plinth/contract/errors';
import { PASSWORD_MIN_LENGTH } from '@plinth/contract/limits';
import { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField, PasswordField } from '../ui/Field.tsx';
import { say } from '../ui/toast.tsx';
import { useFocusWrong } from '../ui/useFocusWrong.ts';
import type { Mode } from './LoginScreen.tsx';
import { enterSession } from './useSession.ts';

type EmailFormProps = {
  mode: Mode;
  label: string;
  busy: string;
  demo: SignInOptions['demo'];
  onBusy: (isBusy: boolean) => void;
};
type Wrong = { sentence: string; fields: ('email' | 'password')[] };

/** Email and password. Sign-in and sign-up ask the same two things. */
export function EmailForm({ mode, label, busy, demo, onBusy }: EmailFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const errorId = useId();
  const send = useSignIn(mode);
  const first = wrong?.fields[0];
  useFocusWrong(form, wrong, first === undefined ? null : `[name=${first}]`, send.isPending);

  const refuse = (found: Wrong) => {
    setWrong(found);
    say.wrong(found.sentence, { id: 'sign-in' });
  };

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (send.isPending) return;
    const found = findWrong(email, password);
    if (found) return refuse(found);
    setWrong(null);
    onBusy(true);
    await send.mutateAsync({ email, password }).catch((cause: unknown) => refuse(explain(cause)));
    onBusy(false);
  };

  const describe = (field: 'email' | 'password') => ({
    'aria-invalid': wrong?.fields.includes(field) === true ? (true as const) : undefined,
    'aria-describedby': wrong ? errorId : undefined,
    disabled: send.isPending,
  });
  return (
    <form ref={form} noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(event)}>
      <InputField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => [setEmail(event.currentTarget.value), setWrong(null)]}
        {...describe('email')}
      />
      <PasswordField
        label="Password"
        name="password"
        minLength={PASSWORD_MIN_LENGTH}
        autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
        value={password}
        onChange={(event) => [setPassword(event.currentTarget.value), setWrong(null)]}
        {...describe('password')}
      />
      {wrong && <ErrorBox id={errorId}>{wrong.sentence}</ErrorBox>}
      <Button type="submit" look="primary" big wide busy={send.isPending && busy}>
        {label}
      </Button>
      {demo && (
        <div className="trybox">
          <p className="small">
            Try it: {demo.email} / {demo.password}
          </p>
          <Button look="bare" onClick={() => [setEmail(demo.email), setPassword(demo.password), setWrong(null)]}>
            Fill in
          </Button>
        </div>
      )}
    </form>
  );
}

function useSignIn(mode: Mode) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; password: string }) =>
      api.send(`/api/v1/auth/${mode}`, sessionSchema, { method: 'POST', body }),
    onSuccess: (session) => {
      enterSession(queryClient, session);
      say.done('Logged in successfully', { id: 'sign-in' });
    },
  });
}

export function findWrong(email: string, password: string): Wrong | null {
  const blank = [email.trim() === '' && 'email', password === '' && 'password'] as const;
  const fields = blank.filter((field) => field !== false);
  return fields.length === 0 ? null : { sentence: errors.credentials_required.detail, fields };
}

const WRONG_FIELDS: Partial<Record<ApiError['code'], Wrong['fields']>> = {
  credentials_required: ['email', 'password'],
  invalid_credentials: ['password'],
  email_invalid: ['email'],
  email_in_use: ['email'],
  password_too_short: ['password'],
  password_too_long: ['password'],
};

function explain(cause: unknown): Wrong {
  if (!(cause instanceof ApiError) || cause.code === 'unexpected')
    return { sentence: sentences.signInFailed, fields: [] };
  return { sentence: cause.message, fields: WRONG_FIELDS[cause.code] ?? [] };
}
