const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Stores a preference for this site in a cookie, because signing out clears the web storage; null deletes it. */
export function keepChoice(name: string, value: string | null): void {
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value === null ? 0 : YEAR_SECONDS}; SameSite=Lax`;
}

export function readChoice(name: string): string | undefined {
  const all = document.cookie.split('; ').map((one) => one.split('='));
  return all.find(([key]) => key === name)?.[1];
}
