import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { errors, sentences } from '@plinth/contract/errors';
import { countCharacters, PASSWORD_MIN_LENGTH, PASSWORD_REDIRECT_MS } from '@plinth/contract/limits';
import type { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useUser } from '../platform/useUser.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Icon } from '../ui/icons.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { say } from '../ui/above/toast.tsx';
import { useForm, type FormError } from '../ui/fields/useForm.ts';
import { SESSION_KEY } from './useSession.ts';

type Refusal = FormError<'newPassword' | 'confirmPassword'>;
type Passwords = { newPassword: string; confirmPassword: string };

export function ChangePasswordScreen() {
  const { email } = useUser();
  return (
    <>
      <Link className={`${buttonClass({ look: 'borderless' })} hangs`} to="/dashboard">
        <Icon name="back" />
        Back
      </Link>
      <ScreenHead title="Change Password" />
      <PasswordForm email={email} />
    </>
  );
}

function PasswordForm({ email }: { email: string }) {
  const [isLong, setIsLong] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // The user has left the screen in the meantime.
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => void navigate({ to: '/dashboard' }), PASSWORD_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);
  const { form, wrong, isSending, errorId, submit, clear, stateOf } = useForm<Refusal>({
    check: (fields) => validatePasswords(readForm(fields)),
    send: async (fields) => {
      await api.command('/api/v1/auth/password', { method: 'POST', body: readForm(fields) });
      // Tells whether the account has a password.
      void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
      say.done(sentences.passwordUpdated, { id: 'password' });
      form.current?.reset();
      setIsLong(false);
      setIsDone(true);
    },
    explain,
    toastId: 'password',
    firstField: 'newPassword',
  });

  const bind = (name: keyof Passwords) => ({
    name,
    required: true,
    minLength: PASSWORD_MIN_LENGTH,
    autoComplete: 'new-password',
    ...stateOf(name),
  });
  return (
    <form ref={form} noValidate className="paper password-form" onSubmit={submit} onChange={clear}>
      <InputField label="Email" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="New Password"
        hint={
          <span className={isLong ? 'small in-line is-good' : 'small in-line faint'}>
            {isLong && <Icon name="check" />}
            At least {PASSWORD_MIN_LENGTH} characters
          </span>
        }
        {...bind('newPassword')}
        onChange={({ currentTarget }) => setIsLong(countCharacters(currentTarget.value) >= PASSWORD_MIN_LENGTH)}
      />
      <PasswordField label="Confirm New Password" {...bind('confirmPassword')} />
      {wrong && <ErrorBox id={errorId}>{wrong.sentence}</ErrorBox>}
      <Button type="submit" look="primary" large fullWidth asksServer busy={isSending && 'Updating Password...'}>
        Update Password
      </Button>
    </form>
  );
}

const readForm = (fields: FormData) => Object.fromEntries(fields) as Passwords;

function validatePasswords(values: Passwords): Refusal | null {
  if (countCharacters(values.newPassword) < PASSWORD_MIN_LENGTH) {
    return { sentence: errors.password_too_short.detail, fields: ['newPassword'] };
  }
  if (values.newPassword !== values.confirmPassword) {
    return { sentence: errors.passwords_do_not_match.detail, fields: ['confirmPassword'] };
  }
  return null;
}

function explain({ code, message }: ApiError): Refusal {
  if (code === 'unexpected') return { sentence: sentences.passwordFailed, fields: [] };
  return { sentence: message, fields: [code === 'passwords_do_not_match' ? 'confirmPassword' : 'newPassword'] };
}
