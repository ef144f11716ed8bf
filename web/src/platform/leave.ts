/** Replaces the app by another page. A browser may restore this one from its back/forward cache; then it reloads. */
export function leaveTo(path: string): void {
  window.addEventListener('pageshow', () => window.location.reload());
  window.location.replace(path);
}

/** Awaited by code that must not go on while the page is being left. */
export const neverResolves = () => new Promise<never>(() => {});
