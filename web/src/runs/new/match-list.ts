import { errors } from '@plinth/contract/errors';
import { countCharacters, PROMPT_MAX_LENGTH } from '@plinth/contract/limits';
import { isSku } from '@plinth/contract/runs';
import { formatCount } from '../../ui/format.ts';

/** One row of a list of photos. Texts are empty where the list has none. */
export type ListRow = { line: number; sku: string; file: string; words: string };
/** What is wrong with a list, in words; `line` is null when it is about the photos. */
export type ListProblem = { line: number | null; says: string };
type Named = { id: string; name: string; path: string };

const NAMED_AT_MOST = 5;

/** Which row is about which photo, and everything of the list that a person should know. */
export function matchList(
  rows: readonly ListRow[],
  photos: readonly Named[],
): { listed: Map<string, ListRow>; problems: ListProblem[] } {
  const listed = new Map<string, ListRow>();
  const skus = new Map<string, number>();
  const problems: ListProblem[] = [];
  const find = makeFinder(photos);
  for (const row of rows) {
    const found = find(row.file);
    const [photo] = found;
    const before = photo && listed.get(photo.id);
    const says = [
      ...(row.file === '' ? ['No file is named.'] : []),
      ...(row.file !== '' && photo === undefined ? [`There is no photo “${row.file}”.`] : []),
      ...(found.length > 1
        ? [`“${row.file}” fits ${nameSome(found.map(({ path }) => path))}. Write the whole name.`]
        : []),
      ...(before !== undefined ? [`“${row.file}” is already in line ${before.line}.`] : []),
      ...findTextProblems(row, skus),
    ];
    problems.push(...says.map((sentence) => ({ line: row.line, says: sentence })));
    if (photo !== undefined && found.length === 1 && before === undefined) listed.set(photo.id, row);
  }
  const unlisted = photos.filter(({ id }) => !listed.has(id));
  if (unlisted.length > 0) {
    const are = unlisted.length === 1 ? 'photo is' : 'photos are';
    const says = `${formatCount(unlisted.length)} ${are} not in the list: ${nameSome(unlisted.map(({ path }) => path))}.`;
    problems.push({ line: null, says });
  }
  return { listed, problems };
}

function findTextProblems({ line, sku, words }: ListRow, skus: Map<string, number>): string[] {
  const says: string[] = [];
  const earlier = skus.get(sku);
  if (sku !== '' && !isSku(sku)) says.push(errors.sku_invalid.detail);
  else if (earlier !== undefined) says.push(`The SKU ${sku} is already in line ${earlier}.`);
  else if (sku !== '') skus.set(sku, line);
  if (countCharacters(words) > PROMPT_MAX_LENGTH) says.push(errors.prompt_too_long.detail);
  return says;
}

function makeFinder(photos: readonly Named[]): (file: string) => readonly Named[] {
  const waysOfNaming = [
    ({ path }: Named) => path,
    ({ name }: Named) => name,
    ({ path }: Named) => withoutEnding(path),
    ({ name }: Named) => withoutEnding(name),
  ];
  const indexes = waysOfNaming.map((nameOf) => Map.groupBy(photos, (photo) => simplify(nameOf(photo))));
  return (file) => {
    const wanted = simplify(file);
    return indexes.map((index) => index.get(wanted)).find((found) => found !== undefined) ?? [];
  };
}

/** macOS writes an accent as a letter of its own, Windows folders with a backslash. */
const simplify = (name: string) => name.normalize('NFC').replaceAll('\\', '/').toLowerCase();

const withoutEnding = (name: string) => name.replace(/\.[^./\\]+$/, '');

function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST).join(', ');
  return names.length > NAMED_AT_MOST ? `${shown} and ${formatCount(names.length - NAMED_AT_MOST)} more` : shown;
}
