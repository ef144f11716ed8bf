import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from './vocabulary.ts';
import { quoteOrigin, translateMotion } from './translation.ts';

const textOf = (prompt: string) => translateMotion(prompt).text;

describe('a prompt in English as far as motions go', () => {
  it.each([
    ['English', 'en', 'slow zoom in, snow', 'slow zoom in, snow'],
    ['German', 'de', 'Schnee', 'snow'],
    ['Spanish', 'es', 'nieve y lluvia', 'snow and rain'],
    ['French', 'fr', 'flocons de neige', 'snow'],
    ['Portuguese', 'pt', 'neve e chuva', 'snow and rain'],
    ['Italian', 'it', 'fiocchi di neve', 'snow'],
    ['Chinese', 'zh', '下雪', 'snow'],
    ['Japanese', 'ja', 'ズームイン', 'zoom in'],
    ['Arabic', 'ar', 'تساقط الثلج', 'snow'],
  ])('is read in %s', (_, language, prompt, text) => {
    expect(translateMotion(prompt)).toMatchObject({ language, text });
  });

  it('takes the longest phrase that it knows', () => {
    expect(textOf('Kamera steht still')).toBe('static camera');
    expect(textOf('schwenk nach oben')).toBe('tilt up');
    expect(textOf('schwenk nach links')).toContain('pan');
  });

  it('knows words with or without their accents and capitals', () => {
    expect(textOf('PÉTALOS')).toBe(textOf('petalos'));
    expect(textOf('Blütenblätter')).toBe('petals');
  });

  it('keeps what no language knows as it is, with its signs', () => {
    expect(textOf('snow — 100 % “flibber”!')).toBe('snow — 100 % “flibber”!');
  });

  it.each([
    ['of East Asia', '雪、雨。花瓣', ['snow', 'rain', 'petals']],
    ['of Arabic', 'ثلج، مطر', ['snow', 'rain']],
  ])('ends clauses at the commas %s', (_, prompt, words) => {
    expect(textOf(prompt).split(/, ?/)).toEqual(words);
  });

  it('says no before what Japanese denies behind it', () => {
    expect(textOf('雪なし')).toMatch(/^no snow,/);
    expect(textOf('湯気、雪なし')).toMatch(/,\s*no snow,/);
  });

  it('is a number of words, whatever they stand next to', () => {
    expect(textOf('雪雨')).toBe('snow rain');
    expect(textOf('snow雪')).not.toContain('snowsnow');
  });
});

describe('the origins of a translation', () => {
  const WORDS = 'zoom nieve lluvia Schnee nach links 雪 なし 旋转 ثلج مطر , 、 . ’ l’ 𝒳 é ー'.split(' ');
  const prompt = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom(...WORDS, ' '), { maxLength: 20 }).map((words) => words.join('')),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')),
  );

  it('cover the text in order, and lie within the prompt', () => {
    fc.assert(
      fc.property(prompt, (own) => {
        const { text, origins, language } = translateMotion(own);
        expect(LANGUAGES).toContain(language);
        let reached = 0;
        for (const { start, end, from, to } of origins) {
          expect(text.slice(reached, start).trim()).toBe('');
          expect(end).toBeGreaterThanOrEqual(start);
          expect(from >= 0 && from <= to && to <= own.length).toBe(true);
          reached = end;
        }
        expect(reached).toBe(text.length);
      }),
      { numRuns: 50 },
    );
  });

  it('lead every word back to the words that it was made of', () => {
    const own = 'Langsam heranzoomen, dann Schneeflocken';
    const translation = translateMotion(own);
    const quote = (english: string) => {
      const start = translation.text.indexOf(english);
      expect(start).toBeGreaterThanOrEqual(0);
      return quoteOrigin(own, translation, start, start + english.length);
    };
    expect([quote('slowly'), quote('zoom in'), quote('snow')]).toEqual(['Langsam', 'heranzoomen', 'Schneeflocken']);
    expect(quote('slowly zoom in')).toBe('Langsam heranzoomen');
  });

  it('are quoted with capitals in German alone, where they are spelling', () => {
    const quoteAll = (own: string) => {
      const translation = translateMotion(own);
      return quoteOrigin(own, translation, 0, translation.text.length);
    };
    expect(quoteAll('Schnee')).toBe('Schnee');
    expect(quoteAll('Nieve y Lluvia')).toBe('nieve y lluvia');
    expect(quoteAll('SNOW')).toBe('snow');
    expect(quoteAll('')).toBe('');
  });

  it('are one place for what Japanese denies, which stands in two of the text', () => {
    const own = '雪なし';
    const translation = translateMotion(own);
    const at = translation.text.indexOf('snow');
    expect(quoteOrigin(own, translation, at, at + 4)).toBe('雪');
  });
});
