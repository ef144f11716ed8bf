import { leaveNote, takeNote } from '../platform/storage/tab-notes.ts';

/** Returns the path to open after signing in. Only paths of the app are allowed, against open redirects. */
export function toReturnPath(path: unknown): string {
  return typeof path === 'string' && /^\/(dashboard|success)(\/|$|\?)/.test(path) ? path : '/dashboard';
}

/** Returns the login page's address with the path to return to. `isAfterEnd`: the page says that the session ended. */
export function loginPath(to: string, isAfterEnd: boolean): string {
  return `/login?${new URLSearchParams({ to, ...(isAfterEnd && { ended: '' }) })}`;
}

/** Reads the parameters of `loginPath` on the login page. */
export const readReturnPath = () => new URLSearchParams(window.location.search).get('to');
export const readIsAfterEnd = () => new URLSearchParams(window.location.search).has('ended');

const RETURN = 'plinth-return';

/** Remembers the page to return to when a user with a session signs in once more. */
export function rememberReturnPath(path: string): void {
  leaveNote(RETURN, path);
}

/** Returns where a Google sign-in ends: the remembered page once, else the credits. */
export function takeReturnPath(): string {
  const path = takeNote(RETURN);
  return path === null ? '/dashboard/credits' : toReturnPath(path);
}
