import { isPackId, type PackId } from '@plinth/contract/pack-names';

const KEY = 'plinth-packs';

/** The marketplaces that were chosen last in this browser. */
export function readChosen(): PackId[] {
  return (localStorage.getItem(KEY) ?? '').split(',').filter(isPackId);
}

export function saveChosen(ids: readonly PackId[]): void {
  localStorage.setItem(KEY, ids.join(','));
}

const LOOK_KEY = 'plinth-look';

/** The look that was chosen last in this browser; null for none. */
export const readLook = (): string | null => localStorage.getItem(LOOK_KEY);

export function saveLook(lookId: string | null): void {
  if (lookId === null) localStorage.removeItem(LOOK_KEY);
  else localStorage.setItem(LOOK_KEY, lookId);
}
