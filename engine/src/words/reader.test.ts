import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTerms as read } from './reader.ts';
import type { Language } from './vocabulary.ts';

const readTerms = (prompt: string, languages?: Language[]) => read(prompt, 'scene', languages);

/** The terms as `kind:name`, with their words of the prompt. */
const listTerms = (prompt: string) =>
  readTerms(prompt).terms.map(({ kind, name, from, to }) => `${kind}:${name} "${prompt.slice(from, to)}"`);

describe('a sentence', () => {
  it('is a list of meanings with positions in the prompt', () => {
    expect(listTerms('A black marble table')).toEqual([
      'skip:a "A"',
      'colour:black "black"',
      'thing:marble "marble"',
      'surface:table "table"',
    ]);
  });

  it('is split at its punctuation only', () => {
    expect(listTerms('marble; wood')).toEqual(['thing:marble "marble"', 'break: ";"', 'thing:wood "wood"']);
    expect(listTerms('marble "wood"')).toEqual(['thing:marble "marble"', 'thing:wood "wood"']);
    expect(listTerms('大理石，木')[1]).toBe('break: "，"');
  });

  it('is read in its longest phrases', () => {
    expect(listTerms('living room')).toEqual(['thing:living room "living room"']);
    expect(listTerms('living-room living')).toEqual(['thing:living room "living-room"', 'unknown:living "living"']);
  });

  it('matches words in any number and case, and reports unknown ones', () => {
    expect(listTerms('TABLES')).toEqual(['surface:table "TABLES"']);
    expect(listTerms('qwertz tables')).toEqual(['unknown:qwertz "qwertz"', 'surface:table "tables"']);
  });

  it('skips numbers', () => {
    expect(readTerms('50 tables').terms[0]).toMatchObject({ kind: 'skip', name: '50', from: 0, to: 2 });
  });

  it.each(['', '   ', '"\'"', '🧉'])('of only %j has no terms', (prompt) => {
    expect(readTerms(prompt).terms).toEqual([]);
  });
});

describe('the language', () => {
  it.each([
    ['black marble table', 'en'],
    ['schwarzer Marmortisch', 'de'],
    ['mesa de mármol negro', 'es'],
    ['sur une table en marbre noir', 'fr'],
    ['em uma mesa de mármore preto', 'pt'],
    ['su un tavolo di marmo nero', 'it'],
    ['黑色大理石桌上', 'zh'],
    ['黒い大理石のテーブルの上', 'ja'],
    ['على طاولة من الرخام الأسود', 'ar'],
  ])('of "%s" is %s, and its marble, its black and its table are the same', (prompt, language) => {
    const { language: read, terms } = readTerms(prompt);
    expect(read).toBe(language);
    const names = terms.map(({ name }) => name);
    for (const name of ['black', 'marble', 'table']) expect(names).toContain(name);
  });

  it('is the one that knows most words; English words are understood in it', () => {
    expect(readTerms('schwarzer Marmor, vintage').language).toBe('de');
    expect(listTerms('marble 桌子 上')[0]).toBe('thing:marble "marble"');
  });

  it.each([
    'kids play area', // Spanish "playa"
    'kitchen counter with fresh herbs', // French "herbe"
    'chocolate pieces', // French "pièce"
    'a sports arena', // Spanish "arena"
    'a bank of moss', // German "Bank"
  ])('of "%s" is English, though another language knows one more word', (prompt) => {
    expect(readTerms(prompt).language).toBe('en');
  });

  it('of unknown words is English', () => {
    expect(readTerms('xyzzy').language).toBe('en');
  });

  it('can be given', () => {
    expect(readTerms('Tisch', ['en']).terms).toMatchObject([{ kind: 'unknown', name: 'tisch' }]);
    expect(readTerms('Tisch', ['de']).terms).toMatchObject([{ kind: 'surface', name: 'table' }]);
  });
});

describe('compound words', () => {
  it.each([
    ['Marmortisch', ['marble', 'table']],
    ['Holztischen', ['wood', 'table']],
    ['Rosentisch', ['rose', 'table']],
  ])('like %s are both understood at one position', (word, names) => {
    const { terms } = readTerms(`auf dem ${word}`);
    const parts = terms.filter(({ from }) => from === 8);
    expect(parts.map(({ name }) => name)).toEqual(names);
    for (const { to } of parts) expect(to).toBe(8 + word.length);
  });

  it('with an unknown part stay one unknown word', () => {
    expect(readTerms('auf dem Blubbertisch', ['de']).terms.at(-1)).toMatchObject({
      kind: 'unknown',
      name: 'blubbertisch',
    });
  });

  it('in Arabic carry particles in front, and their meaning starts after those', () => {
    const word = 'والرخام';
    expect(readTerms(word, ['ar']).terms).toMatchObject([{ name: 'marble', to: word.length }]);
    expect(readTerms('لرخام', ['ar']).terms).toMatchObject([{ name: 'marble', from: 1, to: 5 }]);
  });

  it('in Chinese and Japanese are separated by known words, with unknown kana as grammar', () => {
    expect(listTerms('大理石桌')).toEqual(['thing:marble "大理石"', 'surface:table "桌"']);
    expect(listTerms('大理石ぞテーブル')).toEqual(['thing:marble "大理石"', 'surface:table "テーブル"']);
    expect(listTerms('木桌，独角兽')).toContain('unknown:独角兽 "独角兽"');
  });
});

describe('any prompt', () => {
  const unit = fc.constantFrom(
    ...'marble table no with Holztisch mesa ، , 大理石 の 桌 وال رخام 3 é -'.split(' '),
    ' ',
  );
  const prompt = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit, maxLength: 30 }));

  it('has terms in order, each at words inside the prompt', () => {
    fc.assert(
      fc.property(prompt, (text) => {
        let before = { from: 0, to: 0 };
        for (const { from, to } of readTerms(text).terms) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(text.length);
          const isSamePlace = from === before.from && to === before.to;
          expect(isSamePlace || from >= before.to).toBe(true);
          before = { from, to };
        }
      }),
      { numRuns: 40 },
    );
  });
});
