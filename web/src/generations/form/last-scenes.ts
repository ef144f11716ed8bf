const LAST_USED = 'plinth-scenes';
const KEPT = 4;

/** Ids of the scenes that were picked last in this browser, the newest first. */
export function listLastUsed(): string[] {
  return (localStorage.getItem(LAST_USED) ?? '').split(' ').filter(Boolean);
}

export function rememberUsed(id: string): void {
  localStorage.setItem(LAST_USED, [id, ...listLastUsed().filter((other) => other !== id)].slice(0, KEPT).join(' '));
}
