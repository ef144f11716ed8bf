/** Where to go after signing in: only paths of the app, because an address from outside must not lead elsewhere. */
export function inside(path: unknown): string {
  return typeof path === 'string' && /^\/(dashboard|success)(\/|$|\?)/.test(path) ? path : '/dashboard';
}
