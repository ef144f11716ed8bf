import { readWith } from './reader.ts';
import { normalise, readLexicons, type Language, type Lexicon } from './vocabulary.ts';

/** A prompt in English as far as motions go; every letter knows which letters of the prompt it came from. */
export type Translation = {
  language: Language;
  text: string;
  /** Pieces of the text in order: [start, end) of it came from [from, to) of the prompt. */
  origins: { start: number; end: number; from: number; to: number }[];
};

type Piece = { text: string; from: number; to: number; isWord: boolean };

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;
const PIECES = new RegExp(`${EAST_ASIAN.source}|[[\\p{L}\\p{M}\\p{N}]--${EAST_ASIAN.source}]+|[^]`, 'gv');
const BREAKS = /[、。，；！？،؛؟]/;
const DENIES_BEFORE = '^no';

let lexicons: Map<Language, Lexicon> | undefined;

/** In the language that knows most of it; English where none knows any. */
export function translateMotion(prompt: string): Translation {
  lexicons ??= readLexicons('motion-words.psv', (columns) => ({
    columns,
    meaning: { kind: 'thing', name: columns[0]!, value: '' },
  }));
  let best = { language: 'en' as Language, pieces: copy(prompt, 0, prompt.length), known: -1 };
  for (const [language, lexicon] of lexicons) {
    const { pieces, known } = translate(prompt, lexicon);
    if (known > best.known) best = { language, pieces: language === 'en' ? best.pieces : pieces, known };
  }
  return write(best.language, best.pieces);
}

/** The prompt's own words behind a stretch of the text. */
export function quoteOrigin(prompt: string, { origins, language }: Translation, start: number, end: number): string {
  const touched = origins.filter((origin) => origin.end > start && origin.start < end);
  const quote = prompt.slice(touched[0]?.from ?? 0, touched.at(-1)?.to ?? 0).trim();
  return language === 'de' ? quote : quote.toLowerCase();
}

/** `known` counts the letters of the prompt that were translated. */
function translate(prompt: string, lexicon: Lexicon): { pieces: Piece[]; known: number } {
  const pieces: Piece[] = [];
  let [reached, known] = [0, 0];
  for (const { kind, name, from, to } of readWith(prompt, lexicon)) {
    if (kind !== 'thing') continue;
    pieces.push(...copy(prompt, reached, from));
    known += Math.max(0, to - Math.max(from, reached));
    reached = to;
    if (name !== DENIES_BEFORE) pieces.push({ text: name, from, to, isWord: true });
    else {
      const denied = pieces.findLastIndex(({ isWord }) => isWord);
      pieces.splice(Math.max(0, denied), 0, { text: 'no', from, to: from, isWord: true });
      pieces.push({ text: ',', from, to, isWord: false });
    }
  }
  return { pieces: [...pieces, ...copy(prompt, reached, prompt.length)], known };
}

/** What is no motion stays: words, and single signs and spaces; letters of languages without spaces one by one. */
function copy(prompt: string, start: number, end: number): Piece[] {
  return [...prompt.slice(start, end).matchAll(PIECES)].map((match) => {
    const from = start + match.index;
    const isWord = /[\p{L}\p{N}]/u.test(match[0]);
    const text = isWord ? normalise(match[0]) : match[0].replace('’', "'").replace(BREAKS, ',');
    return { text, from, to: from + match[0].length, isWord };
  });
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
