import { buttonClass } from './button-class.ts';

/** The way in on public pages; for whoever is signed in already, which the server notes on the page, to the tools. */
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
