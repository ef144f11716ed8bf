import { leaveNote, takeNote } from '../platform/kept/tab-notes.ts';

/** Returns the path to open after signing in. Only paths of the app are allowed, against open redirects. */
export function inside(path: unknown): string {
  return typeof path === 'string' && /^\/(dashboard|success)(\/|$|\?)/.test(path) ? path : '/dashboard';
}

const RETURN = 'plinth-return';

/** Remembers the page to return to when a user with a session signs in once more. */
export function returnAfterSignIn(path: string): void {
  leaveNote(RETURN, path);
}

/** Returns where a Google sign-in ends: the remembered page once, else the credits. */
export function takeReturn(): string {
  const path = takeNote(RETURN);
  return path === null ? '/dashboard/credits' : inside(path);
}
