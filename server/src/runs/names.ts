import { stemOf } from '@plinth/contract/names';
import type { PackId, Role } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import { makeUniqueNames } from '../platform/zip.ts';

/** Names of folders and files in an archive, valid and distinct on every file system. */

type Named = Pick<RunItem, 'sku' | 'filename' | 'asin' | 'ean' | 'role' | 'handle'>;

/** Names each item's folder by its article number, else by its file. */
export function makeFolderNames(): (item: Pick<RunItem, 'sku' | 'filename'>) => string {
  // The report is beside the folders.
  const nameApart = makeUniqueNames(['report.csv']);
  return (item) => nameApart(toName(nameOf(item)), '');
}

/** Names the files of one item: its result, and one per pack by the pack's pattern. */
export function makeFileNames(item: Named): {
  result: (ending: string) => string;
  pack: (id: PackId, ending: string) => string;
} {
  const nameApart = makeUniqueNames([]);
  return {
    result: (ending) => nameApart(toName(nameOf(item)), `.${ending}`),
    pack: (id, ending) => nameApart(toName(fillPattern(item, id)), `.${ending}`),
  };
}

const nameOf = ({ sku, filename }: Pick<RunItem, 'sku' | 'filename'>): string => sku ?? stemOf(filename ?? '');

/** Unknown facts fall back to the article number, then to the photo's name, then to a number. */
function fillPattern(item: Named, id: PackId): string {
  const { names, roles } = packs[id];
  const file = stemOf(item.filename ?? '');
  const known = item.sku ?? (file === '' ? '1' : file);
  const role = isRoleOf(item.role, roles) ? item.role : (roles[0] ?? '');
  const words: Record<string, string> = {
    asin: item.asin ?? known,
    ean: item.ean ?? known,
    sku: known,
    role,
    handle: item.handle ?? known,
    file: file === '' ? known : file,
    n: '1',
  };
  return names.replace(/\{(\w+)\}/g, (_all, word: string) => cut(words[word] ?? '', WORD_MAX_BYTES));
}

const isRoleOf = (role: Role | null, roles: readonly Role[]): role is Role => role !== null && roles.includes(role);

/** Device names of Windows, with any extension (Naming Files, Paths, and Namespaces; Microsoft, read 2026-11). */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?= *(\.|$))/i;
/** Most systems allow 255; a number may be appended. */
const NAME_MAX_BYTES = 200;
/** Leaves room for the rest of a pack's pattern. */
const WORD_MAX_BYTES = 150;

/** Makes a name valid on every file system. */
function toName(given: string): string {
  const plain = given.normalize('NFC').replace(/[<>:"/\\|?*\p{C}]/gu, '_');
  // Windows drops trailing dots and spaces, which would merge two folders.
  const trimmed = cut(plain, NAME_MAX_BYTES).replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return 'photo';
  return RESERVED.test(trimmed) ? `_${trimmed}` : trimmed;
}

function cut(name: string, maxBytes: number): string {
  let bytes = 0;
  const letters = [...name];
  const most = letters.findIndex((letter) => (bytes += Buffer.byteLength(letter)) > maxBytes);
  return most === -1 ? name : letters.slice(0, most).join('');
}
