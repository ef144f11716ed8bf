import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTerms } from './reader.ts';
import {
  LANGUAGES,
  normalise,
  openLexicons,
  splitWords,
  stem,
  addPhrase,
  type Language,
  type Lexicon,
} from './vocabulary.ts';

const TABLES = ['scene-words.psv', 'motion-words.psv'];
const readRows = (table: string) =>
  readFileSync(new URL(`../../assets/words/${table}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|'));
const rows = readRows('scene-words.psv');

describe('a table of words', () => {
  it.each(TABLES)('%s has a kind, a value and a column for every language in each row', (table) => {
    const wrong = readRows(table).filter((row) => row.length !== LANGUAGES.length + 2);
    expect(wrong.map(([kind, value, english]) => `${kind} ${value} ${english}`)).toEqual([]);
    expect(() => openLexicons([table])).not.toThrow();
  });

  it('is rejected if a row has too few cells', () => {
    expect(() => openLexicons(['endings.psv'])).toThrow('endings.psv: 4 cells for 11');
  });

  it.each([
    ['colour', /^#[0-9a-f]{6}( thing)?$/],
    ['side', /^(left|right)$/],
    ['view', /^(above|eye)$/],
    ['size', /^(near|far)$/],
    ['product', /^(small|middle|large|flat)$/],
    ['surface', /^(plain( #[0-9a-f]{6})?)?$/],
  ])('states of a %s only values that the reader of prompts knows', (wanted, pattern) => {
    const values = rows.filter(([kind]) => kind === wanted).map(([, value]) => value);
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) expect(value).toMatch(pattern);
  });

  it('has separating, joining and negating words in every language', () => {
    for (const [language, { exact }] of openLexicons(TABLES)) {
      const kinds = new Set<string>([...exact.values()].map(({ kind }) => kind));
      const missing = ['with', 'at', 'for', 'of', 'thing', 'colour', 'wall', 'light'].filter(
        (kind) => !kinds.has(kind),
      );
      expect([language, missing]).toEqual([language, []]);
      expect(kinds.has('no') || kinds.has('without')).toBe(true);
    }
  });

  it('knows every word of every set', () => {
    const file = new URL('../../assets/plates/plates.json', import.meta.url);
    const { plates } = JSON.parse(readFileSync(file, 'utf8')) as { plates: { words: string[]; shows: string[] }[] };
    const terms = plates.flatMap(({ words, shows }) =>
      [...words, ...shows].flatMap((phrase) => readTerms(phrase, 'scene', ['en']).terms),
    );
    expect(terms.filter(({ kind }) => kind === 'unknown').map(({ name }) => name)).toEqual([]);
  });
});

const emptyLexicon = (language: Language): Lexicon => ({
  language,
  exact: new Map(),
  stems: new Map(),
  longest: 1,
});

describe('an added phrase', () => {
  const sofa = { kind: 'thing', name: 'sofa', value: '' } as const;

  it('is known exactly and in its other forms', () => {
    const lexicon = emptyLexicon('en');
    addPhrase(lexicon, 'Velvet Sofas', sofa);
    expect([...lexicon.exact.keys()]).toEqual(['velvet sofas']);
    expect([...lexicon.stems.keys()]).toEqual(['velvet sofa']);
    expect(lexicon.longest).toBe(2);
  });

  it('keeps its first meaning', () => {
    const lexicon = emptyLexicon('en');
    addPhrase(lexicon, 'sofa', sofa);
    addPhrase(lexicon, 'sofa', { kind: 'product', name: 'couch', value: 'large' });
    expect(lexicon.exact.get('sofa')).toEqual(sofa);
    expect(lexicon.stems.get('sofa')).toEqual(sofa);
  });

  it('is known exactly only if it is grammar: "ins" is no form of "in"', () => {
    const lexicon = emptyLexicon('en');
    addPhrase(lexicon, 'with', { kind: 'with', name: 'with', value: '' });
    expect(lexicon.exact.has('with')).toBe(true);
    expect(lexicon.stems.size).toBe(0);
  });

  it('is its own name if the table has no English for it', () => {
    const lexicon = emptyLexicon('de');
    addPhrase(lexicon, 'Grüne  Wiese', { kind: 'thing', name: '', value: '' });
    expect(lexicon.exact.get('grune wiese')?.name).toBe('grune wiese');
  });

  it('counts characters as words in scripts without spaces', () => {
    const lexicon = emptyLexicon('zh');
    addPhrase(lexicon, '大理石', sofa);
    expect(lexicon.longest).toBe(3);
  });

  it('without words is ignored', () => {
    const lexicon = emptyLexicon('en');
    for (const phrase of ['', '  ', '—!']) addPhrase(lexicon, phrase, sofa);
    expect([lexicon.exact.size, lexicon.stems.size, lexicon.longest]).toEqual([0, 0, 1]);
  });
});

describe('a normal form', () => {
  it.each([
    ['MÁRMOL', 'marmol'],
    ['weiß', 'weiss'],
    ['Œuvre', 'oeuvre'],
    ['Ærø', 'aerø'],
    ['خشبية', 'خشبيه'],
    ['مقهى', 'مقهي'],
    ['كـتـاب', 'كتاب'],
    ['ガラス', 'ガラス'],
    ['ﾃｰﾌﾞﾙ', 'テーブル'],
  ])('of %s is %s', (word, wanted) => {
    expect(normalise(word)).toBe(wanted);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (text) => {
        for (const word of splitWords(text)) expect(normalise(word)).toBe(word);
      }),
    );
  });

  it('splits words at everything except letters and numbers', () => {
    expect(splitWords('Café-Tisch, 2 x "Holz"')).toEqual(['cafe', 'tisch', '2', 'x', 'holz']);
    expect(splitWords('…!?')).toEqual([]);
  });
});

describe('a stem', () => {
  it.each([
    ['en', ['berry', 'berries']],
    ['en', ['glass', 'glasses']],
    ['en', ['box', 'boxes']],
    ['en', ['table', 'tables']],
    ['de', ['grun', 'grune', 'grunen', 'gruner', 'grunes', 'grunem']],
    ['de', ['tisch', 'tische', 'tischen']],
    ['es', ['blanco', 'blanca', 'blancos', 'blancas']],
    ['es', ['flor', 'flores']],
    ['fr', ['blanc', 'blancs']],
    ['fr', ['rose', 'roses']],
    ['pt', ['balcao', 'balcoes']],
    ['pt', ['azul', 'azuis']],
    ['it', ['rosso', 'rossa', 'rossi', 'rosse']],
    ['it', ['bianco', 'bianchi', 'bianche']],
    ['ar', ['جدران', 'الجدران', 'والجدران', 'بالجدران']],
  ] as const)('in %s is one for all of %j', (language, words) => {
    expect(new Set(words.map((word) => stem(word, language))).size).toBe(1);
  });

  it.each([
    ['en', 'grass', 'gra'],
    ['en', 'cactus', 'cactu'],
    ['en', 'bus', 'bu'],
    ['es', 'mes', 'me'],
    ['it', 'via', 'vi'],
  ] as const)('in %s keeps enough of "%s" to differ from others', (language, word, not) => {
    expect(stem(word, language)).not.toBe(not);
  });

  it('is the word itself in languages without endings', () => {
    for (const language of ['zh', 'ja'] as const) {
      expect(stem('台座', language)).toBe('台座');
    }
  });
});
