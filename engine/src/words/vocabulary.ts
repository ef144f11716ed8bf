/** The meaning of words in English and eight other languages, from the tables in `assets/words`. */
import { readFileSync } from 'node:fs';

/** Kinds of what a picture can show, and of what can happen in a clip. */
export const VISIBLE_KINDS = ['thing', 'style', 'light', 'colour', 'wall', 'surface', 'product'] as const;
const MOTION_KINDS = ['camera', 'move', 'way', 'side', 'crossing'] as const;
export const CLIP_KINDS = [...MOTION_KINDS, 'air', 'effect', 'pace', 'whole', 'deed'] as const;
const GRAMMAR_KINDS = ['no', 'without', 'with', 'at', 'for', 'of', 'but', 'and', 'mine', 'ware', 'skip'] as const;
const KINDS = [...VISIBLE_KINDS, ...CLIP_KINDS, ...GRAMMAR_KINDS, 'size', 'view'] as const;

/** A word's role in a sentence; the headers of the tables describe each kind. */
export type Kind = (typeof KINDS)[number];

/** A phrase's meaning: its English name, and the value of its row. */
export type Meaning = { kind: Kind; name: string; value: string };

/** The phrases of one language: exact, and stemmed unless they are grammar. */
export type Lexicon = { language: Language; exact: Map<string, Meaning>; stems: Map<string, Meaning>; longest: number };

export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'it', 'zh', 'ja', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

const FOLDER = new URL('../../assets/words/', import.meta.url);

/** Loads tables into lexicons. If two rows of a language have the same phrase, the first one counts. */
export function openLexicons(tables: string[]): Map<Language, Lexicon> {
  const lexicons = LANGUAGES.map((language) => ({ language, exact: new Map(), stems: new Map(), longest: 1 }));
  for (const [word, value, ...columns] of tables.flatMap((table) => readRows(table, LANGUAGES.length + 2))) {
    const kind = KINDS.find((one) => one === word);
    if (!kind) throw new Error(`no kind of words: ${word}`);
    const name = value === 'own' ? '' : columns[0]!.split(',')[0]!.trim();
    for (const [n, column] of columns.entries()) {
      for (const phrase of column.split(',')) addPhrase(lexicons[n]!, phrase, { kind, name, value: value! });
    }
  }
  return new Map(lexicons.map((lexicon) => [lexicon.language, lexicon]));
}

function readRows(table: string, cells: number): string[][] {
  const lines = readFileSync(new URL(table, FOLDER), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('|'));
  const wrong = rows.find((row) => row.length !== cells);
  if (wrong) throw new Error(`${table}: ${wrong.length} cells for ${cells} in ${wrong.join('|')}`);
  return rows;
}

/** Adds a phrase, unless it is known already. */
export function addPhrase(lexicon: Lexicon, phrase: string, meaning: Meaning): void {
  const words = splitWords(phrase);
  if (words.length === 0) return;
  const named = { ...meaning, name: meaning.name || words.join(' ') };
  const [own, bare] = [words.join(' '), stemAll(words, lexicon.language)];
  lexicon.longest = Math.max(lexicon.longest, words.length);
  if (!lexicon.exact.has(own)) lexicon.exact.set(own, named);
  if (!GRAMMAR_KINDS.some((kind) => kind === named.kind) && !lexicon.stems.has(bare)) lexicon.stems.set(bare, named);
}

const LETTERS = String.raw`[\p{L}\p{M}\p{N}]`;
/** Scripts without spaces between words: each letter with its mark counts as a word. */
const EAST_ASIAN = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]&&${LETTERS}]`;
const WORD = new RegExp(`${EAST_ASIAN}[ﾞﾟ\u3099\u309A]?|[${LETTERS}--${EAST_ASIAN}]+`, 'gv');
const IS_EAST_ASIAN = new RegExp(`^${EAST_ASIAN}`, 'v');

export const isEastAsian = (word: string): boolean => IS_EAST_ASIAN.test(word);

/** The normalised words of a text with their positions. */
export function findWords(text: string): { text: string; from: number; to: number }[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    return { text: normalise(word), from: index, to: index + word.length };
  });
}

export const splitWords = (phrase: string): string[] => findWords(phrase).map(({ text }) => text);

const SPELLINGS: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae', ى: 'ي', ة: 'ه' };

/** Lower case without accents. Kana keep their marks, which distinguish letters. */
export function normalise(word: string): string {
  if (isEastAsian(word)) return word.normalize('NFKC').toLowerCase();
  const bare = word.normalize('NFD').replace(/[\p{M}ـ]/gu, '');
  return bare.toLowerCase().replace(/[ßœæىة]/g, (letter) => SPELLINGS[letter]!);
}

const endings = readRows('endings.psv', 4).map(([language, ending, by, minLength]) => {
  return { language, ending: new RegExp(ending!.replaceAll(' ', '|')), by: by!, minLength: Number(minLength) };
});

/** Removes a word's endings. */
export function stem(word: string, language: Language): string {
  let rest = word;
  for (const row of endings) {
    const cut = row.language === language ? rest.replace(row.ending, row.by) : rest;
    if (cut.length >= row.minLength) rest = cut;
  }
  return rest;
}

/** The stems of a phrase's words, joined by spaces. */
export const stemAll = (words: string[], language: Language): string =>
  words.map((word) => stem(word, language)).join(' ');
