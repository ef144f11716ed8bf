/** A sentence of any of the languages as a row of terms: what each phrase means, and where it stands. */
import { readFileSync } from 'node:fs';
import { isUnspaced, LANGUAGES, normalise, openLexicons, stem, teach } from './vocabulary.ts';
import type { Kind, Language, Lexicon, Meaning } from './vocabulary.ts';

/** A phrase of the prompt with its meaning; `name` is the English one, or the word itself when nobody knows it. */
export type Term = { kind: Kind | 'unknown' | 'break'; name: string; value: string; from: number; to: number };

export type Reading = { language: Language; terms: Term[] };

type Word = { text: string; from: number; to: number };

const PIECES = /[\p{L}\p{M}\p{N}ー々]+|[^\s\p{L}\p{M}\p{N}]/gu;
const BREAKS = /[,.;:!?()[\]/|&+–—،؛؟。，、；：！？（）「」・\n]/;
const EAST = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々`;
const EAST_ASIAN = new RegExp(`[${EAST}]+|[^${EAST}]+`, 'gu');
const LEAST_PART = 3; // letters of a part of a German compound

const PLATES = new URL('../../assets/plates/plates.json', import.meta.url);

let taught: Map<Language, Lexicon> | undefined;

/** The table of words, and what the sets call their things in English. */
function openTaught(): Map<Language, Lexicon> {
  if (taught) return taught;
  taught = openLexicons();
  const english = taught.get('en')!;
  const { plates } = JSON.parse(readFileSync(PLATES, 'utf8')) as { plates: { words: string[]; shows: string[] }[] };
  for (const phrase of plates.flatMap(({ words, shows }) => [...words, ...shows])) {
    for (const { kind, name } of readWith(phrase, english)) {
      if (kind === 'unknown') teach(english, name, { kind: 'thing', name: '', value: '' });
    }
  }
  return taught;
}

/** The reading in the language that knows most of the words; the first where none knows more. */
export function readTerms(prompt: string, languages: readonly Language[] = LANGUAGES): Reading {
  const lexicons = openTaught();
  let best: Reading & { known: number } = { language: 'en', terms: [], known: -1 };
  for (const language of languages) {
    const terms = readWith(prompt, lexicons.get(language)!, lexicons.get('en'));
    const known = terms.reduce((sum, term) => sum + countKnown(term), 0);
    if (known > best.known) best = { language, terms, known };
  }
  return best;
}

/** Characters of the prompt that the term explains. */
function countKnown({ kind, from, to }: Term): number {
  return kind === 'unknown' || kind === 'break' ? 0 : to - from;
}

/** Words, and what stands between them when it parts a sentence. */
function splitPieces(prompt: string): Word[] {
  const pieces: Word[] = [];
  for (const match of prompt.matchAll(PIECES)) {
    const isWord = /[\p{L}\p{N}]/u.test(match[0]);
    if (!isWord && !BREAKS.test(match[0])) continue;
    for (const part of match[0].matchAll(EAST_ASIAN)) {
      const from = match.index + part.index;
      pieces.push({ text: isWord ? normalise(part[0]) : '', from, to: from + part[0].length });
    }
  }
  return pieces;
}

/** What the words mean in one language; those that it does not know may be English. */
export function readWith(prompt: string, own: Lexicon, english: Lexicon = own): Term[] {
  const pieces = splitPieces(prompt);
  const terms: Term[] = [];
  for (let at = 0; at < pieces.length;) {
    const { text, from, to } = pieces[at]!;
    if (text === '') {
      terms.push({ kind: 'break', name: '', value: '', from, to });
      at += 1;
      continue;
    }
    if (isUnspaced(own.language) && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
      terms.push(...readUnspaced(pieces[at]!, own));
      at += 1;
      continue;
    }
    const found =
      findLongest(pieces, at, own) ?? findBehindParticle(pieces, at, own) ?? findLongest(pieces, at, english);
    if (found) {
      terms.push({ ...found.meaning, from: from + (found.skipped ?? 0), to: pieces[at + found.words - 1]!.to });
      at += found.words;
      continue;
    }
    terms.push(...readOddWord(pieces[at]!, own));
    at += 1;
  }
  return terms;
}

type Found = { meaning: Meaning; words: number; skipped?: number };

/** Arabic writes "and", "with" and "for" onto the word, and "my" behind it. */
function findBehindParticle(pieces: Word[], at: number, lexicon: Lexicon): Found | undefined {
  const { text } = pieces[at]!;
  if (lexicon.language !== 'ar' || text.length < LEAST_PART + 1) return undefined;
  const as = (bare: string) => findLongest(pieces.with(at, { ...pieces[at]!, text: bare }), at, lexicon);
  const behind = /^[وبلفك]/.test(text) ? as(text.slice(1)) : undefined;
  return behind
    ? { ...behind, skipped: 1 }
    : /(?:ي|نا|ها)$/.test(text)
      ? as(text.replace(/(?:ي|نا|ها)$/, ''))
      : undefined;
}

function findLongest(pieces: Word[], at: number, lexicon: Lexicon): Found | undefined {
  for (let words = Math.min(lexicon.longest, pieces.length - at); words > 0; words -= 1) {
    const texts = pieces.slice(at, at + words).map(({ text }) => text);
    if (texts.includes('')) continue;
    const meaning =
      lexicon.exact.get(texts.join(' ')) ??
      lexicon.stems.get(texts.map((text) => stem(text, lexicon.language)).join(' '));
    if (meaning) return { meaning, words };
  }
  return undefined;
}

/** A word that the table does not have as it is: a number, a German compound. */
function readOddWord({ text, from, to }: Word, lexicon: Lexicon): Term[] {
  if (/^\p{N}+$/u.test(text)) return [{ kind: 'skip', name: text, value: '', from, to }];
  const parts = lexicon.language === 'de' ? splitCompound(text, lexicon) : [];
  if (parts.length > 0) return parts.map((meaning) => ({ ...meaning, from, to }));
  return [{ kind: 'unknown', name: text, value: '', from, to }];
}

/** "Marmortisch" is a table of marble: two known words, perhaps with a joining s or n between them. */
function splitCompound(text: string, lexicon: Lexicon): Meaning[] {
  for (let cut = LEAST_PART; cut <= text.length - LEAST_PART; cut += 1) {
    const [head, tail] = [text.slice(0, cut), text.slice(cut)].map((part) => lexicon.stems.get(stem(part, 'de')));
    if (head && tail) return [head, tail];
  }
  return [];
}

/** Longest match, character by character; kana that nobody knows are grammar. */
function readUnspaced({ text, from }: Word, lexicon: Lexicon): Term[] {
  const terms: Term[] = [];
  let unknown = '';
  const flush = (end: number) => {
    if (unknown !== '' && /[^\p{Script=Hiragana}]/u.test(unknown)) {
      terms.push({ kind: 'unknown', name: unknown, value: '', from: from + end - unknown.length, to: from + end });
    }
    unknown = '';
  };
  for (let at = 0; at < text.length;) {
    let size = Math.min(lexicon.longest, text.length - at);
    while (size > 0 && !lexicon.exact.has(text.slice(at, at + size))) size -= 1;
    if (size === 0) {
      unknown += text[at]!;
      at += 1;
      continue;
    }
    flush(at);
    terms.push({ ...lexicon.exact.get(text.slice(at, at + size))!, from: from + at, to: from + at + size });
    at += size;
  }
  flush(text.length);
  return terms;
}
