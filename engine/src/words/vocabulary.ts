import { readFileSync } from 'node:fs';

/** Kinds of words for what may be seen in a picture, and of those that only join or deny others. */
export const SEEN = ['thing', 'style', 'light', 'colour', 'wall', 'surface', 'product'] as const;
const GRAMMAR = ['no', 'without', 'with', 'at', 'for', 'of', 'but', 'mine', 'skip'] as const;

/** What a word does in a sentence; `assets/words/scene-words.psv` says what each kind means. */
export type Kind = (typeof SEEN | typeof GRAMMAR)[number] | 'size' | 'view' | 'side';

/** What a phrase of any language means: its English name, and what the table says beside it. */
export type Meaning = { kind: Kind; name: string; value: string };

/** The phrases of one language, by their words as they stand and, for what may be seen in a picture, by their stems. */
export type Lexicon = { language: Language; exact: Map<string, Meaning>; stems: Map<string, Meaning>; longest: number };

export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'it', 'zh', 'ja', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

const FOLDER = new URL('../../assets/words/', import.meta.url);

let lexicons: Map<Language, Lexicon> | undefined;

/** The table of words, read once. */
export function openLexicons(): Map<Language, Lexicon> {
  return (lexicons ??= readLexicons('scene-words.psv', ([kind, value = '', ...columns]) => ({
    columns,
    meaning: { kind: kind as Kind, name: columns[0]?.split(',')[0]?.trim() ?? '', value },
  })));
}

type Row = { columns: string[]; meaning: Meaning };

/** The lexicons of a table in `assets/words`, whose rows say in one column for each language what means the same. */
export function readLexicons(table: string, readRow: (cells: string[]) => Row): Map<Language, Lexicon> {
  const opened = LANGUAGES.map((language) => ({ language, exact: new Map(), stems: new Map(), longest: 1 }));
  for (const line of readFileSync(new URL(table, FOLDER), 'utf8').split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    const { columns, meaning } = readRow(line.split('|'));
    for (const [n, column] of columns.entries()) {
      for (const phrase of column.split(',')) teach(opened[n]!, phrase, meaning);
    }
  }
  return new Map(opened.map((lexicon) => [lexicon.language, lexicon]));
}

/** Adds a phrase; one that is known already keeps its meaning. */
export function teach(lexicon: Lexicon, phrase: string, meaning: Meaning): void {
  const words = splitWords(phrase);
  if (words.length === 0) return;
  const named = meaning.name === '' ? { ...meaning, name: words.join(' ') } : meaning;
  const size = isUnspaced(lexicon.language) ? words.join('').length : words.length;
  lexicon.longest = Math.max(lexicon.longest, size);
  const add = (map: Map<string, Meaning>, key: string) => {
    if (!map.has(key)) map.set(key, named);
  };
  add(lexicon.exact, words.join(' '));
  if (!GRAMMAR.some((kind) => kind === named.kind))
    add(lexicon.stems, words.map((word) => stem(word, lexicon.language)).join(' '));
}

export function isUnspaced(language: Language): boolean {
  return language === 'zh' || language === 'ja';
}

/** Whether adjectives of the language stand behind their noun, as in "mesa blanca". */
export function putsAdjectiveLast(language: Language): boolean {
  return ['es', 'fr', 'pt', 'it', 'ar'].includes(language);
}

const WORD = /[\p{L}\p{M}\p{N}ー々]+/gu;

/** The words of a phrase in the form in which they are compared. */
export function splitWords(phrase: string): string[] {
  return (phrase.match(WORD) ?? []).map(normalise);
}

const SPELT: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae', ى: 'ي', ة: 'ه' };

/** Lower case without accents; kana keep their marks, which are letters there. */
export function normalise(word: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(word)) return word.normalize('NFKC').toLowerCase();
  return word
    .normalize('NFD')
    .replace(/[\p{M}ـ]/gu, '')
    .toLowerCase()
    .replace(/[ßœæىة]/g, (letter) => SPELT[letter]!);
}

const ENDINGS: Partial<Record<Language, (word: string) => string>> = {
  en: (word) => {
    const base = word.replace(/'s?$/, '');
    if (base.length > 4 && base.endsWith('ies')) return `${base.slice(0, -3)}y`;
    if (base.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(base)) return base.slice(0, -2);
    if (base.length > 3 && base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) return base.slice(0, -1);
    return base;
  },
  de: (word) => {
    const rest = cut(word, /(?:ern|en|er|es|em|e|n|(?<=[aoklmnrtgd])s)$/, 3);
    if (rest !== word) return stem(rest, 'de'); // "grune" and "grun" come to the same
    return word.replace(/ss$/, 's').replace(/(?<=[^aeiou])e(?=[lr]$)/, ''); // and so do "dunkle" and "dunkel"
  },
  es: romance,
  pt: (word) =>
    romance(
      word
        .replace(/oes$/, 'ao')
        .replace(/([aeou])is$/, '$1l')
        .replace(/ns$/, 'm'),
    ),
  fr: (word) => cut(cut(word, /[sx]$/, 3), /e$/, 4),
  it: (word) => cut(cut(word, /[aeio]$/, 4), /h$/, 4),
  ar: (word) => cut(cut(word, /^(?:وال|بال|كال|فال|لل|ال)/, 3), /ه$/, 3),
};

/** Enough for plural, gender and case of nouns and adjectives; both sides of every comparison pass through it. */
export function stem(word: string, language: Language): string {
  return ENDINGS[language]?.(word) ?? word;
}

function romance(word: string): string {
  return cut(cut(word.replace(/([lrnd])es$/, '$1'), /s$/, 3), /[aoe]$/, 4);
}

function cut(word: string, ending: RegExp, least: number): string {
  const rest = word.replace(ending, '');
  return rest.length >= least ? rest : word;
}
