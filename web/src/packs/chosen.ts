import { isPackId, type PackId } from '@plinth/contract/packs';

const KEY = 'plinth-packs';

/** The marketplaces that were chosen last in this browser. */
export function readChosen(): PackId[] {
  return (localStorage.getItem(KEY) ?? '').split(',').filter(isPackId);
}

export function saveChosen(ids: readonly PackId[]): void {
  localStorage.setItem(KEY, ids.join(','));
}
