import { Dialog } from '@base-ui/react/dialog';
import { GoogleButton } from '../auth/GoogleButton.tsx';
import { rememberReturnPath } from '../auth/return-path.ts';
import { leaveAccount, markLeaving } from '../auth/useSession.ts';
import type { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useUser } from '../platform/useUser.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { DialogFrame } from '../ui/above/DialogFrame.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { useForm, type FormError } from '../ui/fields/useForm.ts';

type Refusal = FormError<'password'> & { mustSignIn?: boolean };
/** Path at which this dialog is open. */
const HERE = '/dashboard/account/data?delete=';

export function DeletionDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <DialogFrame isQuestion title="Delete your account?" isOpen={isOpen} onClose={onClose}>
      <DeletionForm />
    </DialogFrame>
  );
}

function DeletionForm() {
  const { id, email, hasPassword } = useUser();
  const api = useApi();
  const { form, wrong, isSending, errorId, submit, clear, stateOf } = useForm<Refusal>({
    check: (fields) =>
      fields.get('password') === '' ? { sentence: 'Please enter your password.', fields: ['password'] } : null,
    send: async (fields) => {
      markLeaving();
      try {
        await api.command('/api/v1/account', { method: 'DELETE', body: Object.fromEntries(fields) });
      } catch (cause) {
        markLeaving(false);
        throw cause;
      }
      await leaveAccount(id, 'done');
    },
    explain,
    isLeaving: true,
  });
  return (
    <form ref={form} noValidate className="stack" onSubmit={submit}>
      <Dialog.Description className="small">
        This cannot be undone.{' '}
        {hasPassword
          ? 'Your password shows that it is you.'
          : 'A sign-in of the last five minutes shows that it is you.'}
      </Dialog.Description>
      <InputField label="Email" type="email" autoComplete="username" value={email} readOnly />
      {hasPassword && (
        <PasswordField
          label="Password"
          name="password"
          required
          autoComplete="current-password"
          onChange={clear}
          {...stateOf('password')}
        />
      )}
      {wrong && <ErrorBox id={errorId}>{wrong.sentence}</ErrorBox>}
      {wrong?.mustSignIn === true && (
        <GoogleButton label="Sign in with Google" isLocal={false} isOff={false} onGo={() => rememberReturnPath(HERE)} />
      )}
      <div className="dialog-acts">
        <Dialog.Close className={buttonClass({ look: 'borderless' })}>Keep account</Dialog.Close>
        <Button type="submit" look="danger" asksServer busy={isSending && 'Deleting...'}>
          Delete account
        </Button>
      </div>
    </form>
  );
}

/** The sign-in's sentence mentions an address, which is not typed here. */
function explain({ code, message }: ApiError): Refusal {
  if (code === 'invalid_credentials')
    return { sentence: 'This is not your password. Please try again.', fields: ['password'] };
  return { sentence: message, fields: [], mustSignIn: code === 'sign_in_again' };
}
