/** Reads a sentence in any of the languages as a list of terms: the meaning of each phrase and its position. */
import {
  findWords,
  isEastAsian,
  type Kind,
  type Language,
  LANGUAGES,
  type Lexicon,
  type Meaning,
  openLexicons,
  VISIBLE_KINDS,
  stem,
  stemAll,
} from './vocabulary.ts';

/** A phrase of the prompt with its meaning; `name` is English, or the word itself if it is unknown. */
export type Term = { kind: Kind | 'unknown' | 'break'; name: string; value: string; from: number; to: number };

export type Reading = { language: Language; terms: Term[] };

/** The kind of prompt: one for a clip may name moves, and everything that one for a scene may. */
const TABLES = { scene: ['scene-words.psv'], clip: ['motion-words.psv', 'scene-words.psv'] };
export type Subject = keyof typeof TABLES;

const lexiconCache: { [subject in Subject]?: Map<Language, Lexicon> } = {};

/** The reading in the language that knows most of the letters; the first of equal ones. */
export function readTerms(prompt: string, subject: Subject, languages: readonly Language[] = LANGUAGES): Reading {
  const lexicons = (lexiconCache[subject] ??= openLexicons(TABLES[subject]));
  let best: Reading & { known: number } = { language: 'en', terms: [], known: -1 };
  for (const language of languages) {
    const { terms, known } = readInLanguage(prompt, lexicons.get(language)!, lexicons.get('en')!);
    if (known > best.known) best = { language, terms, known };
  }
  return best;
}

/** A word or, without text, a separating sign. */
type Piece = { text: string; from: number; to: number };

const BREAKS = /[,.;:!?()[\]/|&+–—،؛؟。，、；：！？（）「」・\n]/g;

/** Reads the words in one language, with English for unknown ones; also counts the letters that it knows. */
function readInLanguage(prompt: string, own: Lexicon, english: Lexicon): { terms: Term[]; known: number } {
  const breaks = [...prompt.matchAll(BREAKS)].map(({ index }) => ({ text: '', from: index, to: index + 1 }));
  const pieces = [...findWords(prompt), ...breaks].sort((one, other) => one.from - other.from);
  const terms: Term[] = [];
  let known = 0;
  for (let at = 0; at < pieces.length;) {
    const native = findLongest(pieces, at, own) ?? findAttached(pieces, at, own) ?? findCompound(pieces[at]!, own);
    const found = native ?? findLongest(pieces, at, english);
    const { text, from, to } = pieces[at]!;
    const last = terms.at(-1);
    const isContinued = last?.kind === 'unknown' && last.to === from && isEastAsian(text); // scripts without spaces
    if (native) known += native.terms[0]!.to - from;
    if (found) terms.push(...found.terms);
    else if (isContinued) Object.assign(last, { name: last.name + text, to });
    else terms.push(...readUnmatched(pieces[at]!));
    at += found?.count ?? 1;
  }
  return { terms, known };
}

/** Terms and the number of pieces that they consume. */
type Found = { terms: Term[]; count: number };

function findLongest(pieces: Piece[], at: number, { exact, stems, longest, language }: Lexicon): Found | undefined {
  for (let count = Math.min(longest, pieces.length - at); count > 0; count -= 1) {
    const phrase = pieces.slice(at, at + count);
    const words = phrase.map(({ text }) => text);
    const meaning = exact.get(words.join(' ')) ?? stems.get(stemAll(words, language));
    if (meaning) return { terms: [{ ...meaning, from: phrase[0]!.from, to: phrase.at(-1)!.to }], count };
  }
  return undefined;
}

const MIN_PART = 3; // letters: shortest part of a compound

/** Arabic attaches "and", "with" and "for" to the front of a word, and "my" to its end. */
function findAttached(pieces: Piece[], at: number, lexicon: Lexicon): Found | undefined {
  const { text, from, to } = pieces[at]!;
  if (lexicon.language !== 'ar' || text.length <= MIN_PART) return undefined;
  for (const bare of [text.replace(/^[وبلفك]/, ''), text.replace(/(?:ي|نا|ها)$/, '')]) {
    const piece = { text: bare, from: from + text.indexOf(bare), to };
    const found = bare === text ? undefined : findLongest(pieces.with(at, piece), at, lexicon);
    if (found) return found;
  }
  return undefined;
}

/** Terms without an entry: signs, numbers, unknown words. Unknown kana count as grammar. */
function readUnmatched({ text, from, to }: Piece): Term[] {
  if (/^\p{Script=Hiragana}$/u.test(text)) return [];
  const kind = text === '' ? 'break' : /^\p{N}+$/u.test(text) ? 'skip' : 'unknown';
  return [{ kind, name: text, value: '', from, to }];
}

/**
 * Splits compounds: "Marmortisch" is a table of marble, possibly joined by an s or n; "Duftkerze" is a candle, because
 * its last part is something that is sold.
 */
function findCompound({ text, from, to }: Piece, { stems, language }: Lexicon): Found | undefined {
  if (language !== 'de') return undefined;
  let sold: Meaning | undefined;
  for (let cut = MIN_PART; cut <= text.length - MIN_PART; cut += 1) {
    const [first, last] = [text.slice(0, cut), text.slice(cut)].map((part) => stems.get(stem(part, 'de')));
    if (first && last && isVisible(first) && isVisible(last))
      return { terms: [first, last].map((meaning) => ({ ...meaning, from, to })), count: 1 };
    if (last?.kind === 'product' || last?.value === 'sold') sold ??= last;
  }
  return sold && { terms: [{ ...sold, from, to }], count: 1 };
}

const isVisible = ({ kind }: Meaning): boolean => VISIBLE_KINDS.some((visible) => visible === kind);
