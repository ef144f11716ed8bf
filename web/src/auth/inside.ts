import { leaveNote, takeNote } from '../platform/kept/tab-notes.ts';

/** Where to go after signing in: only paths of the app, because an address from outside must not lead elsewhere. */
export function inside(path: unknown): string {
  return typeof path === 'string' && /^\/(dashboard|success)(\/|$|\?)/.test(path) ? path : '/dashboard';
}

const RETURN = 'plinth-return';

/** Somebody who is signed in goes to sign in once more, and comes back here. */
export function returnAfterSignIn(path: string): void {
  leaveNote(RETURN, path);
}

/** Where the way through Google ends: once where somebody said, else at the credits. */
export function takeReturn(): string {
  const path = takeNote(RETURN);
  return path === null ? '/dashboard/credits' : inside(path);
}
