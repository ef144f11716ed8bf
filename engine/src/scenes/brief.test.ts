import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { findMood } from './light.ts';
import { chooseScene } from './choose.ts';
import { reportUnderstood } from '../words/report.ts';

const chosen = (prompt: string) => chooseScene(readBrief(prompt)).id;

describe('a scene prompt', () => {
  it.each([
    ['sage green wall', '#a9b596', undefined],
    ['navy backdrop, white table', '#1f2c4f', '#f4f3f0'],
    ['pink roses on a table', undefined, undefined],
    ['a room with mustard walls', '#cf9d2c', undefined],
    ['a wooden table with coffee beans in front of a forest', undefined, undefined],
    ['on the sand', undefined, undefined],
    ['forest green wall, coffee table', '#2d5339', '#5a3d2b'],
    ['sand backdrop', '#d8c19a', undefined],
    ['dunkler Hintergrund', '#26262b', undefined],
    ['fond sombre', '#26262b', undefined],
    ['深色背景', '#26262b', undefined],
    ['dark blue background', '#233c61', undefined],
    ['before a pastel wall', '#efd6d6', undefined],
    ['pastellfarbener Hintergrund', '#efd6d6', undefined],
    ['pastel pink background', '#f4d7dd', undefined],
    ['a white product on a black background', readBrief('black background').wall, undefined],
    ['a blue product on a pink background', readBrief('pink background').wall, undefined],
  ])('%s', (prompt, wall, surface) => {
    const brief = readBrief(prompt);
    expect([brief.wall, brief.surface]).toEqual([wall, surface]);
  });

  it('states the side of the light', () => {
    expect(readBrief('soft light from the left').lightFrom).toBe('left');
    expect(readBrief('window on the right').lightFrom).toBe('right');
    expect(readBrief('marble').lightFrom).toBeUndefined();
  });

  it.each([
    ['Strand! beach at noon', 'beach-sand'],
    ['a cosy living-room', 'living-room'],
    ['navy background', 'studio-sweep'],
    ['', 'studio-sweep'],
    ['xyzzy plugh', 'studio-sweep'],
    ['underwater', 'underwater'],
    ['Café terrace, espresso', 'garden-terrace'],
    ['wooden table at golden hour', 'morning-table'],
    ['golden hour', 'desert-dunes'],
    ['dramatic light', 'charcoal-window'],
    ['kitchen at night', 'kitchen-counter'],
    ['art deco bar', 'artdeco'],
    ['theatre curtain', 'curtain'],
    ['a shelf of books in an old library', 'library'],
    ['japanese zen garden', 'zen'],
    ['on a marble table, morning light', 'marble-podium'],
    ['a concrete block, warm afternoon light', 'concrete-loft'],
    ['stone table in a garden', 'mountain-rock'],
    ['dark wood table, candle light', 'cafe-wood'],
    ['oak table', 'morning-table'],
    ['tropical beach with palm leaves', 'beach-sand'],
    ['in the snow under pine trees', 'snow-winter'],
    ['luxury black marble with gold accents', 'black-marble'],
    ['with pumpkins', 'autumn-harvest'],
    ['coffee mug on marble', 'marble-podium'],
    ['water bottle on a desk', 'office-desk'],
    ['wine glass on a wooden table', 'morning-table'],
    ['soap in a spa', 'spa-counter'],
    ['wedding table with white flowers', 'valentine-rose'],
  ])('%s stands in %s', (prompt, id) => {
    expect(chosen(prompt)).toBe(id);
  });

  it('turns words about light into light', () => {
    const mood = (prompt: string) => findMood(readBrief(prompt), new Set());
    expect(mood('marble')).toEqual({ exposure: 1, tint: [1, 1, 1], pool: 0, softness: 0 });
    expect(mood('dramatic marble').pool).toBeGreaterThan(0.5);
    expect(mood('airy, bright marble').exposure).toBeGreaterThan(1);
    expect(mood('marble at night').exposure).toBeLessThan(0.7);
    expect(mood('marble at sunset').tint[2]).toBeLessThan(0.5);
    expect(mood('marble, not dark').exposure).toBe(1);
    expect(mood('dark green wall').exposure).toBe(1);
    expect(findMood(readBrief('marble at sunset'), new Set(['sunset'])).tint).toEqual([1, 1, 1]);
  });

  it('does not use excluded words', () => {
    expect(chosen('forest')).toBe('moss-stone');
    expect(chosen('stone, no forest, no moss')).not.toBe('moss-stone');
    expect(chosen('no christmas')).not.toBe('christmas-fir');
  });

  it.each([
    ['not in the forest', 'forest'],
    ['marble, not on a table', 'table'],
    ['marble, not with roses', 'rose'],
    ['nicht im Wald', 'forest'],
    ['no en el bosque', 'forest'],
    ['pas dans la forêt', 'forest'],
    ['non nel bosco', 'forest'],
    ['不要放在森林里', 'forest'],
    ['ليس في الغابة', 'forest'],
  ])('excludes through the words of a place: %s', (prompt, name) => {
    expect(readBrief(prompt).terms.find((term) => term.name === name)?.isUnwanted).toBe(true);
  });

  it('excludes only what is excluded', () => {
    const wanted = (prompt: string) =>
      readBrief(prompt)
        .terms.filter(({ isUnwanted }) => !isUnwanted)
        .map(({ name }) => name);
    expect(wanted('no props on marble')).toEqual(['marble']);
    expect(wanted('not in the forest, but on marble')).toEqual(['marble']);
    expect(wanted('no, on marble')).toEqual(['marble']);
    expect(wanted('no moss on stone with roses')).toEqual(['stone', 'rose']);
  });
});

describe('a standing or lying product', () => {
  const chosenFrom = (prompt: string, view: 'above' | 'eye') =>
    chooseScene(readBrief(prompt), view === 'above' ? 'surely' : undefined).id;

  it.each([
    ['wooden table', 'above', 'flat-wood'],
    ['wooden table', 'eye', 'morning-table'],
    ['', 'above', 'flat-paper'],
    ['flat lay on white marble', 'eye', 'flat-marble'],
    ['from above, pink background', 'eye', 'flat-paper'],
    ['Draufsicht auf Leinen', 'eye', 'flat-linen'],
    ['wooden table, eye level', 'above', 'morning-table'],
  ] as const)('%s, from %s, is %s', (prompt, view, id) => {
    expect(chosenFrom(prompt, view)).toBe(id);
  });
});

const WORDS =
  'no my navy wall table on with roses marble mug , . warm light dark green without mesa roja 桌子 红色 طاولة'.split(
    ' ',
  );

describe('any prompt', () => {
  const prompt = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' ')),
  );

  it('selects a scene, has light that can be rendered, and terms with positions in the prompt', () => {
    fc.assert(
      fc.property(prompt, fc.option(fc.nat(3), { nil: undefined }), (text, variation) => {
        const brief = readBrief(text);
        for (const colour of [brief.wall, brief.surface]) if (colour) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
        for (const { from, to } of brief.terms) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(text.length);
        }
        const plate = chooseScene(brief, undefined, variation);
        const mood = findMood(brief, plate.words);
        expect([mood.exposure, ...mood.tint].every((factor) => factor > 0 && factor < 3)).toBe(true);
        const { understood, notDrawn } = reportUnderstood(brief, plate);
        for (const phrase of [...understood, ...notDrawn]) {
          expect(text.toLowerCase()).toContain(phrase.toLowerCase());
          expect(phrase.length).toBeLessThanOrEqual(80);
        }
      }),
    );
  });
});
