import { useId, useRef, useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import { errors, sentences } from '@plinth/contract/errors';
import { countCharacters, PASSWORD_MIN_LENGTH, PASSWORD_REDIRECT_MS } from '@plinth/contract/limits';
import { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField, PasswordField } from '../ui/Field.tsx';
import { Icon } from '../ui/icons.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { say } from '../ui/toast.tsx';
import { useFocusWrong } from '../ui/useFocusWrong.ts';
import { useSession } from './useSession.ts';

type Wrong = { sentence: string; field: 'newPassword' | 'confirmPassword' | null };

export function ChangePasswordScreen() {
  const { data: session, isError, refetch } = useSession();
  return (
    <>
      <Link className={`${buttonClass({ look: 'bare' })} way-back`} to="/dashboard">
        <Icon name="back" />
        Back
      </Link>
      <ScreenHead title="Change Password" />
      {isError && (
        <ErrorBox action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {sentences.userLoadFailed}
        </ErrorBox>
      )}
      {session && <PasswordForm email={session.user.email} />}
      {!session && !isError && <div className="skeleton form-like" />}
    </>
  );
}

function PasswordForm({ email }: { email: string }) {
  const [values, setValues] = useState({ newPassword: '', confirmPassword: '' });
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const errorId = useId();
  const isOnline = useOnline();
  const update = useUpdatePassword(() => setValues({ newPassword: '', confirmPassword: '' }));

  useFocusWrong(form, wrong, `[name=${wrong?.field ?? 'newPassword'}]`, update.isPending);

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (update.isPending) return;
    const found = findWrongPassword(values) ?? (await update.mutateAsync(values).then(() => null, explain));
    setWrong(found);
    if (!found) return;
    say.wrong(found.sentence, { id: 'password' });
  };

  const bind = (name: keyof typeof values) => ({
    name,
    required: true,
    minLength: PASSWORD_MIN_LENGTH,
    autoComplete: 'new-password',
    value: values[name],
    disabled: update.isPending,
    'aria-invalid': wrong?.field === name ? (true as const) : undefined,
    'aria-describedby': wrong ? errorId : undefined,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      setValues({ ...values, [name]: event.currentTarget.value });
      setWrong(null);
    },
  });
  const isLong = countCharacters(values.newPassword) >= PASSWORD_MIN_LENGTH;
  return (
    <form ref={form} noValidate className="paper password-form" onSubmit={(event) => void handleSubmit(event)}>
      <InputField label="Email" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="New Password"
        hint={
          <span className={isLong ? 'note ok' : 'note faint'}>
            {isLong && <Icon name="check" />}
            At least {PASSWORD_MIN_LENGTH} characters
          </span>
        }
        {...bind('newPassword')}
      />
      <PasswordField label="Confirm New Password" {...bind('confirmPassword')} />
      {wrong && <ErrorBox id={errorId}>{wrong.sentence}</ErrorBox>}
      <Button
        type="submit"
        look="primary"
        big
        wide
        disabled={!isOnline}
        busy={update.isPending && 'Updating Password...'}
      >
        Update Password
      </Button>
    </form>
  );
}

function useUpdatePassword(onDone: () => void) {
  const api = useApi();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: { newPassword: string; confirmPassword: string }) =>
      api.send('/api/v1/auth/password', z.object({ updated: z.literal(true) }), { method: 'POST', body }),
    onSuccess: () => {
      say.done(sentences.passwordUpdated, { id: 'password' });
      onDone();
      setTimeout(() => void navigate({ to: '/dashboard' }), PASSWORD_REDIRECT_MS);
    },
  });
}

export function findWrongPassword(values: { newPassword: string; confirmPassword: string }): Wrong | null {
  if (countCharacters(values.newPassword) < PASSWORD_MIN_LENGTH) {
    return { sentence: errors.password_too_short.detail, field: 'newPassword' };
  }
  if (values.newPassword !== values.confirmPassword) {
    return { sentence: errors.passwords_do_not_match.detail, field: 'confirmPassword' };
  }
  return null;
}

function explain(cause: unknown): Wrong {
  if (!(cause instanceof ApiError) || cause.code === 'unexpected') {
    return { sentence: sentences.passwordFailed, field: null };
  }
  const field = cause.code === 'passwords_do_not_match' ? 'confirmPassword' : 'newPassword';
  return { sentence: cause.message, field };
}
