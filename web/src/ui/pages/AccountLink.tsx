import { buttonClass } from '../button-class.ts';

export function AccountLink() {
  const look = buttonClass({ look: 'quiet' });
  return (
    <>
      <a className={`${look} for-visitors`} href="/login">
        Login
      </a>
      <a className={`${look} for-users`} href="/dashboard">
        Dashboard
      </a>
    </>
  );
}
