import { errors } from '@plinth/contract/errors';
import { type ItemFacts, itemFactsSchema } from '@plinth/contract/item-facts';
import { countCharacters, PROMPT_MAX_LENGTH } from '@plinth/contract/limits';
import { isSku } from '@plinth/contract/runs';
import { formatCount } from '../../ui/format.ts';
import type { Photo, PhotoFacts } from '../photos.ts';

/** One row of a photo list. Missing texts are empty; `isOpen` if a quote is never closed. */
export type ListRow = { line: number; sku: string; file: string; words: string; facts: PhotoFacts; isOpen?: boolean };
/** A list and its file name. */
export type PhotoList = { name: string; rows: readonly ListRow[] };
/** A problem in a list, in words; `line` is null if it concerns the photos. */
export type ListProblem = { line: number | null; says: string };
type Named = { id: string; name: string; path: string };

const MAX_NAMED = 5;

/** The row of each photo, and all problems of the list. */
export function matchList(rows: readonly ListRow[], photos: readonly Named[]) {
  const listed = new Map<string, ListRow>();
  const skus = new Map<string, number>();
  const problems: ListProblem[] = [];
  const find = makeFinder(photos);
  for (const row of rows) {
    const { line, file } = row;
    const found = find(file);
    const [photo] = found;
    const before = photo && listed.get(photo.id);
    const says: string[] = [];
    if (file === '') says.push('No file is named.');
    else if (photo === undefined) says.push(`There is no photo “${file}”.`);
    if (found.length > 1) says.push(`“${file}” fits ${nameSome(found.map(({ path }) => path))}. Write the whole name.`);
    if (before !== undefined) says.push(`“${file}” is already in line ${before.line}.`);
    says.push(...findTextProblems(row, skus));
    const all = row.isOpen === true ? ['A quote begins in this line and never ends.'] : says;
    problems.push(...all.map((sentence) => ({ line, says: sentence })));
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

const WRONG_FACTS: Record<keyof ItemFacts, string> = {
  heightCm: 'A height in cm is a number from 0.1 to 1000, such as 12.5. It is left out.',
  asin: 'An ASIN has 10 capital letters and digits. It is left out.',
  ean: 'An EAN has 8, 12, 13 or 14 digits, and the last follows from the others. It is left out.',
  role: 'A role is MAIN, PT01 to PT08 or SWATCH. It is left out.',
  handle: 'A handle has small letters, digits and dashes. It is left out.',
};

export const validFacts = (facts: PhotoFacts): PhotoFacts =>
  Object.fromEntries(listFacts(facts).filter(([name, text]) => isValidFact(name, text)));

/** By name, in the order in which a list is read. */
export const listFacts = (facts: PhotoFacts) => Object.entries(facts) as [keyof ItemFacts, string][];
const isValidFact = (name: keyof ItemFacts, text: string) => itemFactsSchema.shape[name].safeParse(text).success;

/**
 * Applies a list to the photos, or to those in `only`. Facts come from the current list alone; numbers and descriptions
 * stay, because the user sees them and may have typed them.
 */
export function applyList(rows: readonly ListRow[], photos: readonly Photo[], only: ReadonlySet<string> | null) {
  const { listed } = matchList(rows, photos);
  return photos.map((photo) => {
    if (only?.has(photo.id) === false) return photo;
    const { line: _before, ...known } = photo;
    const row = listed.get(photo.id);
    const fromList = {
      sku: row?.sku || photo.sku,
      words: row?.words || photo.words,
      facts: validFacts(row?.facts ?? {}),
    };
    return { ...known, ...fromList, ...(row && { line: row.line }) };
  });
}

function findTextProblems({ line, sku, words, facts }: ListRow, skus: Map<string, number>): string[] {
  const says: string[] = [];
  const earlier = skus.get(sku);
  if (sku !== '' && !isSku(sku)) says.push(errors.sku_invalid.detail);
  else if (earlier !== undefined) says.push(`The SKU ${sku} is already in line ${earlier}.`);
  else if (sku !== '') skus.set(sku, line);
  if (countCharacters(words) > PROMPT_MAX_LENGTH) says.push(errors.prompt_too_long.detail);
  for (const [name, text] of listFacts(facts))
    if (!isValidFact(name, text)) says.push(`“${text}”: ${WRONG_FACTS[name]}`);
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

/** macOS writes accents as separate characters, Windows folders with a backslash. */
const simplify = (name: string) => name.normalize('NFC').replaceAll('\\', '/').toLowerCase();

const withoutEnding = (name: string) => name.replace(/\.[^./\\]+$/, '');

function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${shown} and ${formatCount(names.length - MAX_NAMED)} more` : shown;
}
