import { readFileSync } from 'node:fs';
import { isUnspaced, LANGUAGES, normalise, splitWords, stem, type Language } from '../scenes/vocabulary.ts';

/** A prompt in English as far as motions go; every letter knows which letters of the prompt it came from. */
export type Translation = {
  language: Language;
  text: string;
  /** Pieces of the text in order: [start, end) of it came from [from, to) of the prompt. */
  origins: { start: number; end: number; from: number; to: number }[];
};

/** English by the words (as stems) of one language. */
type Dictionary = { language: Language; phrases: Map<string, string>; longest: number };

type Piece = { text: string; from: number; to: number; isWord: boolean };

const TABLE = new URL('../../assets/words/motion-words.psv', import.meta.url);
const PIECES = /[\p{L}\p{M}\p{N}ー々]+|[^]/gu;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;
const BREAKS = /[、。，；！？،؛؟]/;
const DENIES_BEFORE = '^no';

let dictionaries: Dictionary[] | undefined;

/** In the language that knows most of it; English where none knows any. */
export function translateMotion(prompt: string): Translation {
  const pieces = splitPieces(prompt);
  const [english, ...others] = openDictionaries();
  let best = { translation: write('en', pieces), known: translate(pieces, english!).known };
  for (const dictionary of others) {
    const { pieces: translated, known } = translate(pieces, dictionary);
    if (known > best.known) best = { translation: write(dictionary.language, translated), known };
  }
  return best.translation;
}

/** The prompt's own words behind a stretch of the text. */
export function quoteOrigin(prompt: string, { origins, language }: Translation, start: number, end: number): string {
  const touched = origins.filter((origin) => origin.end > start && origin.start < end);
  const quote = prompt.slice(touched[0]?.from ?? 0, touched.at(-1)?.to ?? 0).trim();
  return language === 'de' ? quote : quote.toLowerCase();
}

function openDictionaries(): Dictionary[] {
  if (dictionaries) return dictionaries;
  const opened = LANGUAGES.map((language): Dictionary => ({ language, phrases: new Map(), longest: 1 }));
  for (const line of readFileSync(TABLE, 'utf8').split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    const columns = line.split('|');
    const english = columns[0]!;
    for (const [n, column] of columns.entries()) {
      for (const phrase of column.split(',')) teach(opened[n]!, phrase, english);
    }
  }
  dictionaries = opened;
  return opened;
}

function teach(dictionary: Dictionary, phrase: string, english: string): void {
  const words = splitWords(phrase);
  if (words.length === 0) return;
  const isEastern = isUnspaced(dictionary.language);
  const key = isEastern ? words.join('') : words.map((word) => stem(word, dictionary.language)).join(' ');
  if (!dictionary.phrases.has(key)) dictionary.phrases.set(key, english);
  dictionary.longest = Math.max(dictionary.longest, isEastern ? key.length : words.length);
}

/** Words, and single signs and spaces; letters of languages without spaces one by one. */
function splitPieces(prompt: string): Piece[] {
  return [...prompt.matchAll(PIECES)].flatMap((match): Piece[] => {
    const isWord = /[\p{L}\p{N}]/u.test(match[0]);
    if (!EAST_ASIAN.test(match[0])) {
      const text = isWord ? normalise(match[0]) : match[0].replace('’', "'").replace(BREAKS, ',');
      return [{ text, from: match.index, to: match.index + match[0].length, isWord }];
    }
    return [...match[0]].map((text, n) => ({ text, from: match.index + n, to: match.index + n + 1, isWord }));
  });
}

/** Longest phrases first; `known` counts the letters of the prompt that were translated. */
function translate(pieces: Piece[], dictionary: Dictionary): { pieces: Piece[]; known: number } {
  const out: Piece[] = [];
  let known = 0;
  for (let at = 0; at < pieces.length;) {
    const found = pieces[at]!.isWord ? findPhrase(pieces, at, dictionary) : undefined;
    if (!found) {
      out.push(pieces[at]!);
      at += 1;
      continue;
    }
    const [from, to] = [pieces[at]!.from, pieces[found.end - 1]!.to];
    known += to - from;
    at = found.end;
    if (found.english !== DENIES_BEFORE) out.push({ text: found.english, from, to, isWord: true });
    else {
      const denied = out.findLastIndex(({ isWord }) => isWord);
      out.splice(Math.max(0, denied), 0, { text: 'no', from, to: from, isWord: true });
      out.push({ text: ',', from, to, isWord: false });
    }
  }
  return { pieces: out, known };
}

function findPhrase(pieces: Piece[], at: number, { phrases, longest, language }: Dictionary) {
  if (isUnspaced(language)) {
    for (let count = longest; count > 0; count -= 1) {
      const part = pieces.slice(at, at + count);
      const english = part.length === count && phrases.get(part.map(({ text }) => text).join(''));
      if (english) return { english, end: at + count };
    }
    return undefined;
  }
  for (let count = longest; count > 0; count -= 1) {
    const end = at + 2 * count - 1; // a space between every two words
    const words = pieces.slice(at, end).filter(({ isWord }) => isWord);
    if (words.length !== count || pieces.slice(at, end).some(({ text }, n) => n % 2 === 1 && !/^[ '’]$/.test(text)))
      continue;
    const english = phrases.get(words.map(({ text }) => stem(text, language)).join(' '));
    if (english) return { english, end };
  }
  return undefined;
}

/** One text, with a space between two words that had none; letters of languages without spaces stay together. */
function write(language: Language, pieces: Piece[]): Translation {
  const origins: Translation['origins'] = [];
  let text = '';
  for (const [n, { text: own, from, to, isWord }] of pieces.entries()) {
    const before = pieces[n - 1];
    const areLetters = EAST_ASIAN.test(own) && EAST_ASIAN.test(before?.text ?? '');
    if (isWord && before?.isWord && !areLetters) text += ' ';
    origins.push({ start: text.length, end: text.length + own.length, from, to });
    text += own;
  }
  return { language, text, origins };
}
