import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTerms as read } from './reader.ts';
import type { Language } from './vocabulary.ts';

const readTerms = (prompt: string, languages?: Language[]) => read(prompt, 'scene', languages);

/** The terms as `kind:name`, with the words of the prompt that each one stands for. */
const listTerms = (prompt: string) =>
  readTerms(prompt).terms.map(({ kind, name, from, to }) => `${kind}:${name} "${prompt.slice(from, to)}"`);

describe('a sentence', () => {
  it('is a row of meanings, each with its place in the prompt', () => {
    expect(listTerms('A black marble table')).toEqual([
      'skip:a "A"',
      'colour:black "black"',
      'thing:marble "marble"',
      'surface:table "table"',
    ]);
  });

  it('is parted where its signs part it, and nowhere else', () => {
    expect(listTerms('marble; wood')).toEqual(['thing:marble "marble"', 'break: ";"', 'thing:wood "wood"']);
    expect(listTerms('marble "wood"')).toEqual(['thing:marble "marble"', 'thing:wood "wood"']);
    expect(listTerms('大理石，木')[1]).toBe('break: "，"');
  });

  it('is read in its longest phrases', () => {
    expect(listTerms('living room')).toEqual(['thing:living room "living room"']);
    expect(listTerms('living-room living')).toEqual(['thing:living room "living-room"', 'unknown:living "living"']);
  });

  it('knows its words in any number and case, and says so when it does not', () => {
    expect(listTerms('TABLES')).toEqual(['surface:table "TABLES"']);
    expect(listTerms('qwertz tables')).toEqual(['unknown:qwertz "qwertz"', 'surface:table "tables"']);
  });

  it('passes over numbers', () => {
    expect(readTerms('50 tables').terms[0]).toMatchObject({ kind: 'skip', name: '50', from: 0, to: 2 });
  });

  it.each(['', '   ', '"\'"', '🧉'])('of nothing but %j has no terms', (prompt) => {
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

  it('that knows most of the words wins, and English words are understood in it', () => {
    expect(readTerms('schwarzer Marmor, vintage').language).toBe('de');
    expect(listTerms('marble 桌子 上')[0]).toBe('thing:marble "marble"');
  });

  it.each([
    'kids play area', // Spanish "playa"
    'kitchen counter with fresh herbs', // French "herbe"
    'chocolate pieces', // French "pièce"
    'a sports arena', // Spanish "arena"
    'a bank of moss', // German "Bank"
  ])('of "%s" is English, though another knows a word more', (prompt) => {
    expect(readTerms(prompt).language).toBe('en');
  });

  it('of words that nobody knows is English', () => {
    expect(readTerms('xyzzy').language).toBe('en');
  });

  it('can be told beforehand', () => {
    expect(readTerms('Tisch', ['en']).terms).toMatchObject([{ kind: 'unknown', name: 'tisch' }]);
    expect(readTerms('Tisch', ['de']).terms).toMatchObject([{ kind: 'surface', name: 'table' }]);
  });
});

describe('words that are written in one', () => {
  it.each([
    ['Marmortisch', ['marble', 'table']],
    ['Holztischen', ['wood', 'table']],
    ['Rosentisch', ['rose', 'table']],
  ])('as %s are both understood, and stand in one place', (word, names) => {
    const { terms } = readTerms(`auf dem ${word}`);
    const parts = terms.filter(({ from }) => from === 8);
    expect(parts.map(({ name }) => name)).toEqual(names);
    for (const { to } of parts) expect(to).toBe(8 + word.length);
  });

  it('of which one is unknown stay one unknown word', () => {
    expect(readTerms('auf dem Blubbertisch', ['de']).terms.at(-1)).toMatchObject({
      kind: 'unknown',
      name: 'blubbertisch',
    });
  });

  it('in Arabic carry particles before them, and what they mean begins behind those', () => {
    const word = 'والرخام';
    expect(readTerms(word, ['ar']).terms).toMatchObject([{ name: 'marble', to: word.length }]);
    expect(readTerms('لرخام', ['ar']).terms).toMatchObject([{ name: 'marble', from: 1, to: 5 }]);
  });

  it('in Chinese and Japanese are told apart by what is known, kana that nobody knows being grammar', () => {
    expect(listTerms('大理石桌')).toEqual(['thing:marble "大理石"', 'surface:table "桌"']);
    expect(listTerms('大理石ぞテーブル')).toEqual(['thing:marble "大理石"', 'surface:table "テーブル"']);
    expect(listTerms('木桌，独角兽')).toContain('unknown:独角兽 "独角兽"');
  });
});

describe('whatever is written', () => {
  const unit = fc.constantFrom(
    ...'marble table no with Holztisch mesa ، , 大理石 の 桌 وال رخام 3 é -'.split(' '),
    ' ',
  );
  const prompt = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit, maxLength: 30 }));

  it('its terms follow one another, and each stands within the prompt on words that are there', () => {
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
