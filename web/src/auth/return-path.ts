import { leaveNote, takeNote } from '../platform/kept/tab-notes.ts';

/** Returns the path to open after signing in. Only paths of the app are allowed, against open redirects. */
export function toReturnPath(path: unknown): string {
  return typeof path === 'string' && /^\/(dashboard|success)(\/|$|\?)/.test(path) ? path : '/dashboard';
}

/** The login page, which then leads back to this path; after the end of a session it says so. */
export function loginPath(to: string, isAfterEnd: boolean): string {
  return `/login?${new URLSearchParams({ to, ...(isAfterEnd && { ended: '' }) })}`;
}

/** The parts of the login page's address, there. */
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
