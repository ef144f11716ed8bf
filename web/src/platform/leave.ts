/** Replaces the app by another page. A browser may restore this one from its back/forward cache; then it reloads. */
export function leaveFor(path: string): void {
  window.addEventListener('pageshow', () => window.location.reload());
  window.location.replace(path);
}

/** Awaited where a page that is being left would go on. */
export const neverMore = () => new Promise<never>(() => {});
